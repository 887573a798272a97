import type { Shutdown } from './shutdown.js';

/**
 * What a program that was started by our own standalone owes it: to stop when the parent is gone,
 * however it went and however far the program has come. `SUPERVISED=1` says that there is one.
 */
export function stopWithParent(shutdown: Shutdown, env: NodeJS.ProcessEnv = process.env): void {
  if (!isSupervised(env)) return;
  // The parent holds the other end of our stdin: it ends when the parent does.
  process.stdin
    .on('end', () => void shutdown.stop('the parent is gone').then((code) => process.exit(code)))
    .on('error', () => undefined)
    .resume();
}

/** Tells the parent, with a line on stdout, that the program is ready. */
export function reportToParent(
  ready: Readonly<Record<string, unknown>> = {},
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (isSupervised(env)) process.stdout.write(`${JSON.stringify({ ...ready, ready: true })}\n`);
}

function isSupervised(env: NodeJS.ProcessEnv): boolean {
  return env['SUPERVISED'] === '1';
}
