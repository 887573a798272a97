import { Queue } from 'bullmq';
import type { Log } from '#platform';
import type { Redis } from '#redis';

/** The connections that queues share. */
export interface JobConnections {
  /** For short commands. */
  readonly redis: Redis;
  /** Whose jobs these are. */
  readonly partition: number;
  /** For workers, which block: BullMQ opens a second one beside it. */
  readonly workers: Redis;
  /** What the keys begin with. */
  readonly prefix: string;
}

/** A queue of BullMQ with what is needed to add to it and to work on it. */
export class JobQueue<Data> {
  readonly queue: Queue<Data>;

  constructor(
    name: string,
    readonly connections: JobConnections,
    log: Log,
  ) {
    const { redis: connection, prefix } = connections;
    this.queue = new Queue<Data>(name, {
      connection,
      prefix,
      // The check asks Redis for INFO once; were that to fail, as right after a restart, every later call
      // would fail with that old error. It finds out the version alone: workers, which can be replaced,
      // still do that, and warn of one that is too old.
      skipVersionCheck: true,
    });
    // An error of an addition is thrown to its caller; the log takes the rest.
    this.queue.on('error', (error) => {
      log.debug({ err: error, queue: name }, 'a queue has no connection');
    });
  }

  get name(): string {
    return this.queue.name;
  }
}
