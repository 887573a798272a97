/** The tools as processes: their ends and exit codes (rules/operators 7 and 8). */
import process from 'node:process';

export const EXIT_CODES = { refused: 1, usage: 2, unreachable: 3 };
/** How soon a tool ends after the npm that started it. */
const PARENT_POLL_MS = 250;

/** An error whose kind is known; its message is for the person at the terminal. */
export class ToolError extends Error {
  constructor(message, kind) {
    super(message);
    this.kind = kind;
  }
}

/** Prints the error and sets the exit code: by its kind, or by the state of the connection. */
export function reportError(error) {
  const isUnreachable = ['ECONNREFUSED', 'ECONNRESET'].includes(error.cause?.code);
  console.error(isUnreachable ? 'Nothing answers there: is "npm start" running?' : error.message);
  const isTimeout = error.name === 'TimeoutError';
  const kind = error.kind ?? (isUnreachable || isTimeout ? 'unreachable' : 'refused');
  process.exitCode = EXIT_CODES[kind];
}

/** Calls `end` when the output is no longer read, as `head` does: by default, to end quietly. */
export function endWithReader(end = () => process.exit(0)) {
  process.stdout.on('error', (error) => {
    if (error.code !== 'EPIPE') throw error;
    end();
  });
}

/**
 * Calls `stop` once: at Ctrl-C, at SIGTERM, and when the npm that started this process is gone,
 * which may end without a signal to us.
 */
export function onStop(stop) {
  let isStopping = false;
  const once = () => {
    if (!isStopping) stop();
    isStopping = true;
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, once);
  if (process.env.npm_package_name !== 'subledger') return;
  const parent = process.ppid;
  setInterval(() => process.ppid !== parent && once(), PARENT_POLL_MS).unref();
}
