import type { Shutdown } from './shutdown.js';

/**
 * What a program that was started by our own standalone owes it: a line on stdout once it is ready,
 * and to stop when the parent is gone, however it went. `SUPERVISED=1` says that there is one.
 */
export function reportToParent(
  shutdown: Shutdown,
  ready: Readonly<Record<string, unknown>> = {},
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (env['SUPERVISED'] !== '1') return;
  process.stdout.write(`${JSON.stringify({ ...ready, ready: true })}\n`);
  // The parent holds the other end of our stdin: it ends when the parent does.
  process.stdin
    .on('end', () => void shutdown.stop('the parent is gone').then((code) => process.exit(code)))
    .on('error', () => undefined)
    .resume();
}
