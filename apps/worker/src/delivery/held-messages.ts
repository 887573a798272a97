import { Inject, Injectable } from '@nestjs/common';
import { DelayedError, type Job } from 'bullmq';
import type { Log } from '#platform';
import { redisReply } from '#redis';
import { LOG } from '../tokens.js';
import type { DeliveryJobData } from './delivery-job.js';
import { DeliveryQueue } from './delivery-queue.js';

/** Messages that wait for an earlier one of their subject: delayed jobs, which are woken. */
@Injectable()
export class HeldMessages {
  constructor(
    private readonly deliveries: DeliveryQueue,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Puts a job back, to run after a delay. Its handler then throws `DelayedError`. @throws Fault. */
  async delay(job: Job<DeliveryJobData>, token: string, delayMs: number): Promise<void> {
    await redisReply(job.moveToDelayed(Date.now() + delayMs, token));
  }

  /** What a handler throws when its job was delayed. */
  delayed(): DelayedError {
    return new DelayedError();
  }

  /** Wakes a message that is held; one that is under way, or not there, needs no waking. @throws Fault. */
  async wake(jobId: string | undefined): Promise<void> {
    if (jobId === undefined) return;
    const job = await redisReply(this.deliveries.queue.getJob(jobId));
    await job?.promote().catch((error: unknown) => {
      this.log.debug({ err: error, jobId }, 'a message was not held');
    });
  }
}
