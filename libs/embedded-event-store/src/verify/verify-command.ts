import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { DEFAULT_DATA_DIR } from '../command-line.js';
import { badUsage, type Ending, runOnDirectory } from '../ending.js';
import { EventStoreStartRefused, EXIT_BAD_USAGE, EXIT_DAMAGED, EXIT_REFUSED } from '../failures.js';
import { ProgressBar } from '../progress-bar.js';
import { inspectDirectory } from '../storage/data-directory.js';
import { lockDirectory } from '../storage/directory-lock.js';
import { describeProblem, readWholeFile, showNumber, type Verification } from './verify-store.js';

const VERIFY_HELP = `Reads all events of a store that is stopped, and says whether they are whole.

usage: npm run event-store -- verify [--data-dir DIR] [--json]

  --data-dir DIR       the store's directory (default ${DEFAULT_DATA_DIR}; of a standalone: DATA_DIR/event-store)
  --json               print the result as one line of JSON
  --help               print this

Exit codes: 0 whole, ${EXIT_DAMAGED} damaged (the last line names the first damaged position and its stream),
${EXIT_REFUSED} not verified (in use, no store), ${EXIT_BAD_USAGE} bad usage. It changes no event.
The directory must be writable, as its lock is taken: copy a backup from a read-only medium first.`;

/** Runs `verify` with the arguments after its name. */
export function runVerify(args: readonly string[]): Promise<Ending> {
  return runOnDirectory(args, {
    name: 'verify',
    help: VERIFY_HELP,
    run: async ({ dataDir, isJson, rest: [unknown] }) => {
      if (unknown === undefined) return verification(path.resolve(dataDir), isJson);
      return badUsage('verify', `verify takes no "${unknown}".`);
    },
  });
}

async function verification(dataDir: string, isJson: boolean): Promise<Ending> {
  const result = await verifyDirectory(dataDir);
  const problem = describeProblem(result);
  const isWhole = problem === undefined;
  const message = isWhole ? wholeText(dataDir, result) : damageText(dataDir, problem);
  const out = isJson ? JSON.stringify({ isWhole, ...result, message }) : message;
  return { exitCode: isWhole ? 0 : EXIT_DAMAGED, out };
}

/** Throws `EventStoreStartRefused` if there is no store to be read, or it is in use. */
async function verifyDirectory(dataDir: string): Promise<Verification> {
  const missing = new EventStoreStartRefused(
    `There is no event store in ${dataDir}: see --data-dir.`,
  );
  if (!existsSync(dataDir)) throw missing;
  const unlock = lockDirectory(dataDir);
  try {
    const { eventsFile, isNew } = inspectDirectory(dataDir);
    if (isNew) throw missing;
    return await readWholeFile(eventsFile, new ProgressBar(process.stderr));
  } finally {
    unlock();
  }
}

function wholeText(dataDir: string, { events, streams }: Verification): string {
  return `The event store in ${dataDir} is whole: ${showNumber(events)} events in ${showNumber(streams)} streams.`;
}

function damageText(dataDir: string, problem: string): string {
  return `The event store in ${dataDir} is damaged: ${problem}. Restore the directory from a backup.`;
}
