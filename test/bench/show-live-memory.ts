/**
 * Loaded into a program before its own file: at SIGUSR2 it collects garbage, and prints the live memory after that on
 * stdout. Needs `--expose-gc`.
 */
import process from 'node:process';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  process.stdout.write(`${JSON.stringify({ liveBytes: process.memoryUsage().heapUsed })}\n`);
});
