import path from 'node:path';
import { EXIT_INTERRUPTED, onStopSignals, releaseVersion, stopWithNpm } from '#platform';
import { HELP, NotUnderstood, parseCommandLine, readStandaloneConfig } from './command-line.js';
import { startStandalone } from './standalone.js';
import { StartProgress } from './start-progress.js';
import { Supervisor } from './supervisor.js';
import { welcome } from './welcome.js';

const EXIT_BAD_USAGE = 2;

const startedAt = performance.now();
let isStopping = false;
const progress = new StartProgress(process.stderr);
const say = (text: string) => {
  progress.end();
  console.error(`subledger: ${text}`);
};
const giveUp = (reason: string) => {
  if (!isStopping) say(`${reason} The standalone stops.`);
  void stop(1);
};
const supervisor = new Supervisor(say, giveUp, (part) => progress.show(part));

onStopSignals({
  stop: () => void stop(0),
  interrupt: () => {
    supervisor.kill();
    process.exit(EXIT_INTERRUPTED);
  },
});
stopWithNpm(() => void stop(0));
// The reader of our output may be gone, as a closed terminal is: the ledger goes on all the same.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined);

void main();

async function main(): Promise<void> {
  try {
    const { help, json, version } = parseCommandLine(process.argv.slice(2));
    if (help) console.log(HELP);
    else if (version) console.log(`subledger ${releaseVersion()}`);
    else await run(json);
  } catch (error) {
    const code = error instanceof NotUnderstood ? EXIT_BAD_USAGE : 1;
    // A stop that was asked for meanwhile is the reason for the error, and ends the process itself.
    if (!hasStopped()) complain(error, code);
    await stop(code);
  }
}

async function run(json: boolean): Promise<void> {
  const config = readStandaloneConfig(process.env);
  const { baseUrl, storefrontUrl, demo } = await startStandalone(config, supervisor);
  progress.end();
  // The last program may have become ready when a stop had begun already.
  if (hasStopped()) return;
  const demoFile = path.join(config.dataDir, 'demo.json');
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  const { appId } = demo;
  if (json) console.log(JSON.stringify({ baseUrl, storefrontUrl, demoFile, appId, ready: true }));
  else console.log(welcome({ baseUrl, storefrontUrl, appId, dataDir: config.dataDir, seconds }));
}

/** The same object as the command line's, where JSON is asked for (rules/operators 7). */
function complain(thrown: unknown, exitCode: number): void {
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (!process.argv.includes('--json')) {
    console.error(`subledger: ${message}`);
    return;
  }
  const kind = exitCode === EXIT_BAD_USAGE ? 'usage' : 'refused';
  console.error(JSON.stringify({ error: { kind, reason: '', message, details: [], exitCode } }));
}

async function stop(code: number): Promise<void> {
  if (isStopping) return;
  isStopping = true;
  await supervisor.stop();
  process.exit(code);
}

/** A function, since the compiler does not see that a signal changes the variable. */
function hasStopped(): boolean {
  return isStopping;
}
