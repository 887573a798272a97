import process from 'node:process';
import { logVerbosity, setLogVerbosity } from '@grpc/grpc-js';
import { HELP, parseCommandLine, type CommandLine } from './command-line.js';
import { startEventStore } from './start-event-store.js';

const EXIT_BAD_USAGE = 2;

// What goes wrong is said once, by this program.
if (process.env['GRPC_VERBOSITY'] === undefined) setLogVerbosity(logVerbosity.NONE);

await main();

async function main(): Promise<void> {
  let commandLine: CommandLine;
  try {
    commandLine = parseCommandLine(process.argv.slice(2));
  } catch (error) {
    console.error(`${messageOf(error)} See --help.`);
    process.exitCode = EXIT_BAD_USAGE;
    return;
  }
  if (commandLine.help) console.log(HELP);
  else await run(commandLine);
}

async function run({ json, exitWithParent, ...options }: CommandLine): Promise<void> {
  try {
    const store = await startEventStore(options);
    const stop = (): void => {
      void store.stop().then(() => process.exit(0));
    };
    process.once('SIGTERM', stop);
    process.once('SIGINT', stop);
    if (exitWithParent) process.stdin.once('close', stop).once('end', stop).resume();
    const { connectionString, port, adminPort } = store;
    const ready = { connectionString, port, ...(adminPort && { adminPort }), ready: true };
    console.log(json ? JSON.stringify(ready) : readyText(connectionString, options.dataDir));
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}

function readyText(connectionString: string, dataDir: string): string {
  return `${connectionString}  (one machine only; events are kept in ${dataDir})`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
