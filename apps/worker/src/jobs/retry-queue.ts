import { Inject, Injectable } from '@nestjs/common';
import { DelayedError, type Job, Queue } from 'bullmq';
import type { Instant } from '#domain/event';
import { RETRY_QUEUE } from '#worker-state';
import { assertDefect, type Log, warnSeldom } from '#platform';
import { type Redis, redisReply } from '#redis';
import { READ_PAGE } from '../limits.js';
import { JOB_CONNECTIONS, LOG } from '../tokens.js';

/** The connections that BullMQ is given. */
export interface JobConnections {
  /** For short commands. */
  readonly redis: Redis;
  /** Whose jobs these are. */
  readonly partition: number;
  /** For workers, which block: BullMQ opens a second one beside it. */
  readonly workers: Redis;
  /** The prefix of the keys. */
  readonly prefix: string;
}

/** The data of the job that makes the further attempts of a delivery, as its first one left it. */
export interface Retry {
  readonly endpointId: string;
  readonly messageId: string;
  /** Its member of the work in flight, which is the id of the job. */
  readonly member: string;
  /** By the wall clock. */
  readonly firstFailedAtMs: number;
  /** When its endpoint had been enabled, as its last attempt was made; undefined where that is not known. */
  readonly enabledAt?: Instant | undefined;
  /** Why the first attempt failed. BullMQ keeps the reason of the last one beside. */
  readonly reason: string;
}

/** The traces of failed attempts of a delivery. */
export interface FailedAttempts extends Pick<Retry, 'firstFailedAtMs' | 'enabledAt'> {
  readonly attempts: number;
}

/** More than the schedule has attempts: that ends them, and BullMQ drops no job (rules/webhooks 6). */
const ATTEMPTS_OF_JOB = 1_000;

const KEPT = { removeOnComplete: true, removeOnFail: true, stackTraceLimit: 0 };

/**
 * The deliveries that failed, in BullMQ: a delayed job each, which counts its attempts, knows when the next one is due
 * and makes it (`RetryWorker`). The delivery itself is in flight beside: a job that is lost costs its count of
 * attempts, and nothing else (decision 0029).
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
  async add(retry: Retry, delayMs: number): Promise<void> {
    const options = { attempts: ATTEMPTS_OF_JOB, backoff: { type: 'schedule' }, ...KEPT };
    const job = { jobId: retry.member, delay: delayMs, ...options };
    await redisReply(this.queue.add('retry', retry, job));
  }

  /** The traces of failed attempts of all deliveries that have a job, by their members. @throws Fault of Redis. */
  async readAll(): Promise<Map<string, FailedAttempts>> {
    const all = new Map<string, FailedAttempts>();
    for (let from = 0; ; from += READ_PAGE) {
      const until = from + READ_PAGE - 1;
      const page = await redisReply(this.queue.getJobs(['delayed', 'wait', 'active'], from, until));
      for (const { data, attemptsMade } of page) {
        const { member, firstFailedAtMs, enabledAt } = data;
        const attempts = attemptsMade + 1;
        all.set(member, { attempts, firstFailedAtMs, enabledAt });
      }
      if (page.length === 0) return all;
    }
  }

  /** @throws Fault of Redis. */
  async has(member: string): Promise<boolean> {
    return (await redisReply(this.queue.getJob(member))) !== undefined;
  }

  /** Their attempts are due now, in this order. One that is due or under way stays so. @throws Fault of Redis. */
  async promote(members: readonly string[]): Promise<void> {
    for (const member of members) {
      const job = await redisReply(this.queue.getJob(member));
      if (job !== undefined && (await redisReply(job.isDelayed()))) await promoteOne(job);
    }
  }
}

async function promoteOne(job: Job): Promise<void> {
  await redisReply(
    job.promote().catch(async (error: unknown) => {
      // It became due by itself meanwhile.
      if (await job.isDelayed()) throw error;
    }),
  );
}

/**
 * Puts a job off that is being processed: no attempt of it is used up. Every move of a job goes this way. The token
 * says that the job is this worker's: without it BullMQ takes a job away that runs, and it runs twice. Where the
 * move fails, the lock runs out and the job becomes due again.
 *
 * @throws DelayedError always: it tells BullMQ that the job has been moved.
 */
export async function putOff(
  job: Job,
  token: string | undefined,
  forMs: number,
  log: Log,
): Promise<never> {
  assertDefect(token !== undefined, 'a job that is processed has a token');
  await job.moveToDelayed(Date.now() + forMs, token).catch((error: unknown) => {
    warnSeldom(
      log,
      error,
      'a retry could not be put off: it is due again when its lock has run out',
    );
  });
  throw new DelayedError();
}
