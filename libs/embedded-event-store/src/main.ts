import process from 'node:process';
// Not all of the library, which this program would take longer to load than itself.
import { stopWithNpm } from '../../platform/src/parent.js';
import { EXIT_INTERRUPTED, onStopSignals } from '../../platform/src/stop-signals.js';
import { releaseVersion } from '../../platform/src/version.js';
import { HELP, parseCommandLine, type EventStoreCommandLine } from './command-line.js';
import { withoutPassword } from './access/store-access.js';
import { runBackup, runRestore } from './backup/backup-command.js';
import { EXIT_BAD_USAGE, EXIT_DAMAGED, EXIT_REFUSED, StoreDamaged } from './failures.js';
import { type RunningEventStore, startEventStore } from './start-event-store.js';
import { runVerify } from './verify/verify-command.js';

/** Files of this program are for the account that started it. */
const OTHERS_MAY_NOTHING = 0o077;
process.umask(OTHERS_MAY_NOTHING);

const args = process.argv.slice(2);
const commands = new Map([
  ['verify', runVerify],
  ['backup', runBackup],
  ['restore', runRestore],
]);
const command = commands.get(args[0] ?? '');
void (command === undefined ? main() : runDirectoryCommand(command));

async function runDirectoryCommand(run: typeof runVerify): Promise<void> {
  const { exitCode, out, err } = await run(args.slice(1));
  if (out !== undefined) console.log(out);
  if (err !== undefined) console.error(err);
  process.exitCode = exitCode;
}

async function main(): Promise<void> {
  let commandLine: EventStoreCommandLine;
  try {
    commandLine = parseCommandLine(args);
  } catch (error) {
    console.error(`${errorMessage(error)} See --help.`);
    process.exitCode = EXIT_BAD_USAGE;
    return;
  }
  if (commandLine.help) console.log(HELP);
  else if (commandLine.version) console.log(`subledger event-store ${releaseVersion()}`);
  else await run(commandLine);
}

async function run({ json, exitWithParent, ...options }: EventStoreCommandLine): Promise<void> {
  try {
    const store = await startEventStore(options);
    const stop = (): void => {
      void store.stop().then(() => process.exit(0));
    };
    onStopSignals({ stop, interrupt: () => process.exit(EXIT_INTERRUPTED) });
    stopWithNpm(stop);
    if (exitWithParent) process.stdin.once('close', stop).once('end', stop).resume();
    console.log(json ? readyLine(store) : readyText(store, options.dataDir));
  } catch (error) {
    console.error(errorMessage(error));
    process.exitCode = error instanceof StoreDamaged ? EXIT_DAMAGED : EXIT_REFUSED;
  }
}

/** The ready line for programs; the password stays in its file, since output ends up in logs. */
function readyLine(store: RunningEventStore): string {
  const { port, adminPort, connectionStringFile, passwordFile } = store;
  return JSON.stringify({ port, adminPort, connectionStringFile, passwordFile, ready: true });
}

function readyText(store: RunningEventStore, dataDir: string): string {
  const { connectionString, connectionStringFile, passwordFile } = store;
  const warning = `  INSECURE, as --insecure asks for: every account of this machine may read, change and delete
  all events. Start it without --insecure where that is not wanted.`;
  const credentials = `  PASSWORD stands in ${passwordFile ?? ''},
  and the whole line, as programs take it, in ${connectionStringFile}:
  EVENTSTOREDB_URL="$(cat ${connectionStringFile})". Both are for this account alone.`;
  return `${withoutPassword(connectionString)}
${passwordFile === undefined ? warning : credentials}
  One machine only; events are kept in ${dataDir}.`;
}

function errorMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
