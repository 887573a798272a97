import { existsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { parseArgs } from 'node:util';
import { DEFAULT_DATA_DIR } from '../command-line.js';
import { EXIT_BAD_USAGE, EXIT_DAMAGED, EXIT_REFUSED } from '../exit-codes.js';
import { EventStoreStartRefused, StoreDamaged } from '../failures.js';
import { inspectDirectory } from '../storage/data-directory.js';
import { lockDirectory } from '../storage/directory-lock.js';
import { LogStore } from '../storage/log-store.js';
import { VerifyProgressBar } from './progress-bar.js';
import { verifyStore, type Verification } from './verify-store.js';

const VERIFY_HELP = `Reads all events of a store that is stopped, and says whether they are whole.

usage: npm run event-store -- verify [--data-dir DIR] [--json]

  --data-dir DIR       the store's directory (default ${DEFAULT_DATA_DIR}; of a standalone: DATA_DIR/event-store)
  --json               print the result as one line of JSON
  --help               print this

Exit codes: 0 whole, ${EXIT_DAMAGED} damaged (the last line names the first damaged position and its stream),
${EXIT_REFUSED} not verified (in use, no store), ${EXIT_BAD_USAGE} bad usage. It changes no event.
The directory must be writable, as its lock is taken: copy a backup from a read-only medium first.`;

/** How the command ends: what it prints, where, and its exit code. */
export interface Ending {
  readonly exitCode: number;
  readonly out?: string;
  readonly err?: string;
}

/** Runs `verify` with the arguments after its name. */
export async function runVerify(args: readonly string[]): Promise<Ending> {
  const options = {
    'data-dir': { type: 'string', default: DEFAULT_DATA_DIR },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  let values: { 'data-dir': string; json: boolean; help: boolean };
  try {
    ({ values } = parseArgs({ args: [...args], options }));
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { exitCode: EXIT_BAD_USAGE, err: `${why} See verify --help.` };
  }
  if (values.help) return { exitCode: 0, out: VERIFY_HELP };
  return verification(path.resolve(values['data-dir']), values.json);
}

async function verification(dataDir: string, isJson: boolean): Promise<Ending> {
  try {
    const result = await verifyDirectory(dataDir);
    const problem = describeProblem(result);
    const isWhole = problem === undefined;
    const message = isWhole ? wholeText(dataDir, result) : damageText(dataDir, problem);
    const out = isJson ? JSON.stringify({ isWhole, ...result, message }) : message;
    return { exitCode: isWhole ? 0 : EXIT_DAMAGED, out };
  } catch (error) {
    if (!(error instanceof EventStoreStartRefused)) throw error;
    const { message } = error;
    const exitCode = error instanceof StoreDamaged ? EXIT_DAMAGED : EXIT_REFUSED;
    if (isJson) return { exitCode, out: JSON.stringify({ isWhole: false, message }) };
    return { exitCode, err: message };
  }
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
    const store = new LogStore(eventsFile, undefined, { readOnly: true });
    const bar = new VerifyProgressBar(process.stderr);
    try {
      return await verifyStore(store, (verified, total) => bar.show(verified, total));
    } finally {
      bar.clear();
      await store.close();
    }
  } finally {
    unlock();
  }
}

/** What is wrong, the first damaged place first; undefined if nothing is. */
function describeProblem({
  first,
  damagedEvents,
  events,
  tables,
}: Verification): string | undefined {
  if (!first) return tables.length === 0 ? undefined : tables.join('; ');
  const { stream = 'unknown', what } = first;
  const where = what.includes(stream) ? what : `${what}, of the stream ${stream}`;
  return `${where}; ${count(damagedEvents)} of ${count(events)} events are damaged, this one first`;
}

function wholeText(dataDir: string, { events, streams }: Verification): string {
  return `The event store in ${dataDir} is whole: ${count(events)} events in ${count(streams)} streams.`;
}

function damageText(dataDir: string, problem: string): string {
  return `The event store in ${dataDir} is damaged: ${problem}. Restore the directory from a backup.`;
}

function count(number: number): string {
  return number.toLocaleString('en-US');
}
