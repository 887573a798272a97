import type { Shutdown } from './shutdown.js';

/**
 * Stops a program of the standalone when the standalone is gone, however it ended and however far
 * the program has come. `SUPERVISED=1` says that the program has such a parent.
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

/** Tells the parent how far a long start is, from 0 to 1, and its present step. */
export function reportProgress(
  doing: string,
  share: number,
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (isSupervised(env)) process.stdout.write(`${JSON.stringify({ doing, progress: share })}\n`);
}

/** Tells the parent why the start waits for an operator; no obstacle where it goes on. */
export function reportObstacles(
  obstacles: readonly { readonly sentence: string; readonly findings: readonly string[] }[],
  env: NodeJS.ProcessEnv = process.env,
): void {
  if (isSupervised(env)) process.stdout.write(`${JSON.stringify({ obstacles })}\n`);
}

/** How soon a program ends after the npm that started it. */
const PARENT_POLL_MS = 250;

/**
 * Calls `stop` once when the script of package.json that started this process is gone. npm forwards
 * SIGTERM and SIGINT to its child, and nothing when it is killed, so a supervisor that knows npm's
 * process alone could otherwise stop nothing (rules/operators 8). A program that was started in
 * another way may outlive its starter.
 */
export function stopWithNpm(
  stop: () => void,
  env: NodeJS.ProcessEnv = process.env,
  parentNow: () => number = () => process.ppid,
): void {
  if (env['npm_package_name'] !== 'subledger') return;
  const parent = parentNow();
  const timer = setInterval(() => {
    if (parentNow() === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_POLL_MS);
  timer.unref();
}

function isSupervised(env: NodeJS.ProcessEnv): boolean {
  return env['SUPERVISED'] === '1';
}

/** The task of a program that its parent starts for it: a line of JSON on stdin, whose end is the end of the parent. */
export async function readParentTask(): Promise<unknown> {
  let line = '';
  process.stdin.setEncoding('utf8');
  return new Promise<unknown>((resolve) => {
    process.stdin.on('end', () => process.exit(1));
    process.stdin.on('data', (chunk: string) => {
      line += chunk;
      if (line.endsWith('\n')) resolve(JSON.parse(line));
    });
  });
}
