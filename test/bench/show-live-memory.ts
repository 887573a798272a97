/**
 * Loaded into a program before its own file: at SIGUSR2 it collects garbage, and says on a line of stdout what is alive
 * after that. Needs `--expose-gc`.
 */
import process from 'node:process';

process.on('SIGUSR2', () => {
  globalThis.gc?.();
  process.stdout.write(`${JSON.stringify({ liveBytes: process.memoryUsage().heapUsed })}\n`);
});
