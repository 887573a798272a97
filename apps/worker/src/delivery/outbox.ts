import type { Queue } from 'bullmq';
import { addMilliseconds } from '#domain/calendar';
import { coversEventType } from '#domain/webhook-endpoint';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { CLOCK_TOLERANCE_MS } from '../limits.js';
import { unsettledMember } from '../feed/in-flight.js';
import { ofRedis } from '../redis/connect.js';
import type { Lines } from './subject-queue.js';
import {
  type DeliveryJob,
  type DeliveryJobData,
  deliveryJobFor,
  type OutgoingMessage,
} from './delivery-job.js';

interface OutboxParts {
  readonly queue: Queue<DeliveryJobData>;
  readonly lines: Lines;
  readonly apps: Pick<AppDirectory, 'listEndpoints'>;
}

/** Where messages become jobs, one for each endpoint that wants them. */
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
    const jobs = this.#jobsFor(messages, onlyTo);
    const joined = await Promise.all(
      jobs.map(({ opts, data }) =>
        lines.join({ jobId: opts.jobId, data }, queue.toKey(opts.jobId)),
      ),
    );
    const toAdd = jobs.filter((_, index) => joined[index]);
    if (toAdd.length > 0) await ofRedis(queue.addBulk(toAdd));
  }

  #jobsFor(messages: readonly OutgoingMessage[], onlyTo?: string): DeliveryJob[] {
    return messages.flatMap((message) =>
      this.#parts.apps
        .listEndpoints(message.event.metadata.appId)
        .filter(({ endpointId }) => onlyTo === undefined || endpointId === onlyTo)
        .filter((endpoint) => wants(endpoint, message))
        .map(({ endpointId }) => {
          const unsettled = unsettledMember(message.event, endpointId, message.type);
          return deliveryJobFor(message, { endpointId, unsettled });
        }),
    );
  }
}

/** What happened before an endpoint was there is not news to it, however late we read it. */
function wants(endpoint: RunningEndpoint, { event, type }: OutgoingMessage): boolean {
  const latest = addMilliseconds(event.metadata.occurredAt, CLOCK_TOLERANCE_MS);
  return coversEventType(endpoint.eventTypes, type) && latest >= endpoint.createdAt;
}
