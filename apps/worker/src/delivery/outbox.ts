import { Inject, Injectable } from '@nestjs/common';
import { addMilliseconds } from '#domain/calendar';
import { coversEventType } from '#domain/webhook-endpoint';
import { redisReply } from '#redis';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { inFlightMember } from '../feed/in-flight.js';
import { CLOCK_TOLERANCE_MS } from '../limits.js';
import { APPS } from '../tokens.js';
import { type DeliveryJob, deliveryJobFor, type OutgoingMessage } from './delivery-job.js';
import { DeliveryQueue } from './delivery-queue.js';
import { SubjectQueue } from './subject-queue.js';

/** Where messages become jobs, one for each endpoint that wants them. */
@Injectable()
export class Outbox {
  constructor(
    private readonly deliveries: DeliveryQueue,
    private readonly subjects: SubjectQueue,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'listEndpoints'>,
  ) {}

  /**
   * Enqueues messages, given in the store's order. Adding many jobs is not atomic: after a fault
   * the same messages are to be given again, and none is sent twice for that.
   *
   * @param onlyTo enqueues for this endpoint alone.
   * @throws Fault of the store or of Redis.
   */
  async enqueue(messages: readonly OutgoingMessage[], onlyTo?: string): Promise<void> {
    const { queue } = this.deliveries;
    const jobs = this.#createJobs(messages, onlyTo);
    // First in flight and in its subject's queue, then a job: a job that is lost is enqueued again.
    const enqueued = await Promise.all(
      jobs.map(({ opts, data }) =>
        this.subjects.enqueue({ jobId: opts.jobId, data }, queue.toKey(opts.jobId)),
      ),
    );
    const toAdd = jobs.filter((_, index) => enqueued[index]);
    if (toAdd.length > 0) await redisReply(queue.addBulk(toAdd));
  }

  #createJobs(messages: readonly OutgoingMessage[], onlyTo?: string): DeliveryJob[] {
    return messages.flatMap((message) =>
      this.apps
        .listEndpoints(message.event.metadata.appId)
        .filter(({ endpointId }) => onlyTo === undefined || endpointId === onlyTo)
        .filter((endpoint) => wants(endpoint, message))
        .map(({ endpointId }) => {
          const inFlight = inFlightMember(message.event, endpointId, message.type);
          return deliveryJobFor(message, { endpointId, inFlight });
        }),
    );
  }
}

/** What happened before an endpoint was there is not news to it, however late we read it. */
function wants(endpoint: RunningEndpoint, { event, type }: OutgoingMessage): boolean {
  const latest = addMilliseconds(event.metadata.occurredAt, CLOCK_TOLERANCE_MS);
  return coversEventType(endpoint.eventTypes, type) && latest >= endpoint.createdAt;
}
