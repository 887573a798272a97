import { Queue } from 'bullmq';
import type { Redis } from 'ioredis';
import type { Log } from '#platform';

/** A queue on a shared connection; whoever adds to it is told of errors, the log of the rest. */
export function openQueue<Data>(
  name: string,
  connection: Redis,
  prefix: string,
  log: Log,
): Queue<Data> {
  const queue = new Queue<Data>(name, { connection, prefix });
  queue.on('error', (error) => log.debug({ err: error, queue: name }, 'a queue has no connection'));
  return queue;
}
