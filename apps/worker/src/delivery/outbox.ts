import type { Queue } from 'bullmq';
import { addMilliseconds } from '#domain/calendar';
import { coversEventType } from '#domain/webhook-endpoint';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { forEachConcurrently, groupBy } from '#platform';
import { CLOCK_TOLERANCE_MS, EFFECTS_AT_ONCE } from '../limits.js';
import { unsettledMember } from '../feed/in-flight.js';
import { ofRedis } from '../redis/connect.js';
import type { Lines } from './subject-queue.js';
import {
  type DeliveryJob,
  type DeliveryJobData,
  deliveryJobFor,
  type OutgoingMessage,
} from './delivery-job.js';
import type { Sequences } from './sequences.js';

interface OutboxParts {
  readonly queue: Queue<DeliveryJobData>;
  readonly lines: Lines;
  readonly sequences: Sequences;
  readonly apps: Pick<AppDirectory, 'listEndpoints'>;
}

/** Where messages become jobs, one for each endpoint that wants to hear of them. */
export class Outbox {
  readonly #parts: OutboxParts;

  constructor(parts: OutboxParts) {
    this.#parts = parts;
  }

  /**
   * Enqueues messages, given in the store's order. Adding many jobs is not atomic: after a fault
   * the same messages are to be given again, and none is sent twice for that.
   *
   * @param onlyTo enqueues for this endpoint alone.
   * @throws Fault of the store or of Redis.
   */
  async enqueue(messages: readonly OutgoingMessage[], onlyTo?: string): Promise<void> {
    const { lines, queue } = this.#parts;
    const jobs = await this.#jobsFor(messages, onlyTo);
    const joined = await Promise.all(
      jobs.map(({ opts, data }) =>
        lines.join({ jobId: opts.jobId, data }, queue.toKey(opts.jobId)),
      ),
    );
    const toAdd = jobs.filter((_, index) => joined[index]);
    if (toAdd.length > 0) await ofRedis(queue.addBulk(toAdd));
  }

  async #jobsFor(messages: readonly OutgoingMessage[], onlyTo?: string): Promise<DeliveryJob[]> {
    const { apps, sequences } = this.#parts;
    const jobs: DeliveryJob[] = [];
    const subjects = groupBy(messages, ({ subject }) => subject);
    await forEachConcurrently(subjects, EFFECTS_AT_ONCE, async (ofSubject) => {
      for (const message of ofSubject) {
        const endpoints = apps.listEndpoints(message.event.metadata.appId);
        if (endpoints.length === 0) {
          sequences.skip(message);
          continue;
        }
        const sequence = await sequences.of(message);
        for (const { endpointId } of endpoints.filter((each) => hears(each, message))) {
          if (onlyTo !== undefined && endpointId !== onlyTo) continue;
          const unsettled = unsettledMember(message.event, endpointId);
          jobs.push(deliveryJobFor(message, { endpointId, sequence, unsettled }));
        }
      }
    });
    return jobs;
  }
}

/** What happened before an endpoint was there is not news to it, however late we read it. */
function hears(endpoint: RunningEndpoint, { event, type }: OutgoingMessage): boolean {
  const latest = addMilliseconds(event.metadata.occurredAt, CLOCK_TOLERANCE_MS);
  return coversEventType(endpoint.eventTypes, type) && latest >= endpoint.createdAt;
}
