import { Inject, Injectable } from '@nestjs/common';
import { Queue } from 'bullmq';
import { RETRY_QUEUE } from '#endpoint-state';
import type { Log } from '#platform';
import { type Redis, redisReply } from '#redis';
import { JOB_CONNECTIONS, LOG } from '../tokens.js';

/** The connections that BullMQ is given. */
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

/** A delivery that failed, until its next attempt. Times are those of the wall clock. */
export interface Retry {
  readonly endpointId: string;
  readonly messageId: string;
  /** Its member of the work in flight. */
  readonly member: string;
  readonly attempts: number;
  readonly firstFailedAtMs: number;
  readonly dueAtMs: number;
  readonly isAside: boolean;
  /** What the last attempt failed with. */
  readonly reason: string;
}

/**
 * The deliveries that failed, in BullMQ, which wakes each when its next attempt is due. The delivery itself is
 * in flight beside: a job that is lost costs its count of attempts, and nothing else (decision 0122).
 */
@Injectable()
export class RetryQueue {
  readonly name = RETRY_QUEUE;
  readonly queue: Queue<Retry>;

  constructor(
    @Inject(JOB_CONNECTIONS) readonly connections: JobConnections,
    @Inject(LOG) log: Log,
  ) {
    const { redis: connection, prefix } = connections;
    this.queue = new Queue<Retry>(this.name, {
      connection,
      prefix,
      // The check asks Redis for INFO once; were that to fail, as right after a restart, every later call
      // would fail with that old error. It finds out the version alone: workers, which can be replaced,
      // still do that, and warn of one that is too old.
      skipVersionCheck: true,
    });
    // An error of an addition is thrown to its caller; the log takes the rest.
    this.queue.on('error', (error) => {
      log.debug({ err: error, queue: this.name }, 'a queue has no connection');
    });
  }

  /** Adding the same again does nothing. @throws Fault of Redis. */
  async add(retry: Retry, nowMs: number): Promise<void> {
    const { endpointId, messageId, member, attempts, dueAtMs } = retry;
    // A message that is sent again has a delivery at each position at which that was asked for.
    const [position] = member.split(' ');
    const jobId = `${endpointId}-${messageId}-${position}-${attempts}`;
    const delay = Math.max(0, dueAtMs - nowMs);
    const kept = { removeOnComplete: true, removeOnFail: true };
    await redisReply(this.queue.add('retry', retry, { jobId, delay, ...kept }));
  }
}
