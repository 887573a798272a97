import path from 'node:path';
import process from 'node:process';
import { DEFAULT_DATA_DIR } from '../command-line.js';
import { badUsage, type DirectoryArguments, type Ending, runOnDirectory } from '../ending.js';
import { EventStoreStartRefused, EXIT_DAMAGED, EXIT_REFUSED } from '../failures.js';
import { ProgressBar } from '../progress-bar.js';
import type { BackupContent } from './backup-directory.js';
import { restoreBackup } from './restore-backup.js';
import { takeBackup } from './take-backup.js';

const OPTIONS = `  --data-dir DIR       the store's directory (default ${DEFAULT_DATA_DIR}; of a standalone: DATA_DIR/event-store)
  --json               print the result as one line of JSON
  --help               print this

Exit codes: 0 done, ${EXIT_DAMAGED} damaged, ${EXIT_REFUSED} not done (the last line says why), 2 bad usage.`;

const BACKUP_HELP = `Copies the events of a store as they are now, while it runs or not, and reads all of the copy.

usage: npm run event-store -- backup DIR [--data-dir DIR] [--json]

  DIR                  where the backup goes: a directory that is empty or not there yet
${OPTIONS}
A backup without the MASTER_KEY of its ledger is of no use: keep that too, and elsewhere. The password of the
store is not in it; Redis need not be kept.`;

const RESTORE_HELP = `Makes a store of a backup, in a directory that holds none, and reads all of it.

usage: npm run event-store -- restore BACKUP [--data-dir DIR] [--json]

  BACKUP               the directory of a backup
${OPTIONS}
Stop the programs of the ledger first, and start them afterwards: they build what is in Redis anew, and
begin again what was under way when the backup was made.`;

/** Runs `backup` with the arguments after its name. */
export function runBackup(args: readonly string[]): Promise<Ending> {
  return runOnDirectory(args, {
    name: 'backup',
    help: BACKUP_HELP,
    run: (given) =>
      onOther('backup', given, async (dataDir, target) => {
        const content = await takeBackup(dataDir, target, new ProgressBar(process.stderr));
        return { content, said: `The backup in ${target} is whole: ${describe(content)}.` };
      }),
  });
}

/** Runs `restore` with the arguments after its name. */
export function runRestore(args: readonly string[]): Promise<Ending> {
  return runOnDirectory(args, {
    name: 'restore',
    help: RESTORE_HELP,
    run: (given) =>
      onOther('restore', given, async (dataDir, backup) => {
        const content = await restoreBackup(backup, dataDir, new ProgressBar(process.stderr));
        const said =
          `The event store in ${dataDir} is that of ${content.takenAt}: ${describe(content)}. ` +
          'Start it, and then its programs.';
        return { content, said };
      }),
  });
}

type Act = (
  dataDir: string,
  other: string,
) => Promise<{ readonly content: BackupContent; readonly said: string }>;

async function onOther(
  name: string,
  { dataDir, isJson, rest }: DirectoryArguments,
  act: Act,
): Promise<Ending> {
  const [other, ...more] = rest;
  if (other === undefined || other === '' || more.length > 0) {
    return badUsage(name, `${name} needs the name of one directory.`);
  }
  const { content, said } = await act(path.resolve(dataDir), path.resolve(other)).catch(
    (error: unknown) => {
      throw error instanceof EventStoreStartRefused ? error : unfinished(error);
    },
  );
  const result = { isWhole: true, ...content, message: said };
  return { exitCode: 0, out: isJson ? JSON.stringify(result) : said };
}

function describe({ events, streams }: BackupContent): string {
  const [shownEvents, shownStreams] = [events, streams].map((n) => n.toLocaleString('en-US'));
  return `${shownEvents} events in ${shownStreams} streams`;
}

/** A full disk, a right that is missing: the system's error is the reason. */
function unfinished(error: unknown): EventStoreStartRefused {
  const why = error instanceof Error ? error.message : String(error);
  return new EventStoreStartRefused(`The copy could not be finished: ${why}.`);
}
