import { Inject, Injectable } from '@nestjs/common';
import { type Log, sleepUntilTick, warnSeldom } from '#platform';
import { redisReply } from '#redis';
import { SWEEP_EVERY_MS, SWEPT_AT_ONCE } from '../limits.js';
import { LOG } from '../tokens.js';
import { DeliveryHandler } from './delivery-handler.js';
import { deliveryJobFor } from './delivery-job.js';
import { DeliveryQueue } from './delivery-queue.js';
import { SubjectQueue } from './subject-queue.js';

/**
 * Adds jobs again that were lost. A message and its job are written one after the other: a crash or a loss
 * of Redis between the two leaves a message that nothing delivers (decision 0083). Only the jobs that have
 * to be there are looked at: those of messages that wait for none before them. A job that is added again
 * begins with its first attempt, since BullMQ alone counts attempts, and keeps its age.
 */
@Injectable()
export class DeliverySweep {
  #after = '';

  constructor(
    private readonly deliveries: DeliveryQueue,
    private readonly subjects: SubjectQueue,
    private readonly handler: DeliveryHandler,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (await sleepUntilTick(SWEEP_EVERY_MS, signal)) {
      await this.sweep().catch((error: unknown) => {
        warnSeldom(this.log, error, 'lost deliveries could not be looked for');
      });
    }
  }

  /** Looks at the next page, and at the first one again behind the last. @throws Fault of Redis. */
  async sweep(pageSize = SWEPT_AT_ONCE): Promise<void> {
    const jobIds = await this.subjects.listExpectedJobs(this.#after, pageSize);
    // Moved on at once: what fails in this page must not starve the next one.
    this.#after = jobIds.length < pageSize ? '' : (jobIds.at(-1) ?? '');
    const lost = (await Promise.all(jobIds.map((jobId) => this.#findLost(jobId)))).flat();
    if (lost.length > 0) {
      this.log.warn({ jobs: lost.length }, 'messages without a job: their jobs are added again');
      await redisReply(this.deliveries.queue.addBulk(lost.map(deliveryJobFor)));
    }
  }

  async #findLost(jobId: string) {
    const job = await redisReply(this.deliveries.queue.getJob(jobId));
    if (job === undefined) {
      // The message is asked for last: one that ended meanwhile needs no job.
      const message = await this.subjects.load(jobId);
      return message === undefined ? [] : [message];
    }
    // A worker that was killed when the last attempt had failed did not end the message.
    if (job.finishedOn !== undefined) await this.handler.onExhausted(job);
    return [];
  }
}
