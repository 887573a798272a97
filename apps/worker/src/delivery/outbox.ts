import { Inject, Injectable } from '@nestjs/common';
import { addMilliseconds } from '#domain/calendar';
import { coversEventType } from '#domain/webhook-endpoint';
import { redisReply } from '#redis';
import type { AppDirectory, RunningEndpoint } from '#tenancy';
import { inFlightMember } from '../feed/in-flight.js';
import { CLOCK_TOLERANCE_MS } from '../limits.js';
import { APPS } from '../tokens.js';
import { deliveryJobFor } from './delivery-job.js';
import { DeliveryQueue } from './delivery-queue.js';
import type { OutgoingMessage } from './outgoing-message.js';
import { createQueuedMessage, type QueuedMessage } from './queued-message.js';
import { SubjectQueue } from './subject-queue.js';

/** Where messages are enqueued, for each endpoint that wants them. */
@Injectable()
export class Outbox {
  constructor(
    private readonly deliveries: DeliveryQueue,
    private readonly subjects: SubjectQueue,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'listEndpoints'>,
  ) {}

  /**
   * Enqueues messages, given in the store's order, and adds their jobs right after. The two are not one
   * act: after a fault the same messages are to be given again, and a sweep adds the jobs that were lost.
   *
   * @param onlyTo enqueues for this endpoint alone.
   * @returns the members of the work in flight that they are, but for what had ended.
   * @throws Fault of the store or of Redis; Fenced: nothing is enqueued before this process knows more.
   */
  async enqueue(messages: readonly OutgoingMessage[], onlyTo?: string): Promise<string[]> {
    const toEnqueue = await this.#createQueuedMessages(messages, onlyTo);
    const areGoing = await Promise.all(toEnqueue.map((message) => this.subjects.enqueue(message)));
    const going = toEnqueue.filter((_, index) => areGoing[index]);
    if (going.length > 0) {
      await redisReply(this.deliveries.queue.addBulk(going.map(deliveryJobFor)));
    }
    return going.map(({ inFlight }) => inFlight);
  }

  async #createQueuedMessages(
    messages: readonly OutgoingMessage[],
    onlyTo?: string,
  ): Promise<QueuedMessage[]> {
    const perMessage = messages.map(async (message) => {
      const endpoints = await this.apps.listEndpoints(message.event.metadata.appId);
      return endpoints
        .filter(({ endpointId }) => onlyTo === undefined || endpointId === onlyTo)
        .filter((endpoint) => wants(endpoint, message))
        .map(({ endpointId }) => {
          const inFlight = inFlightMember(message.event, endpointId, message.id);
          return createQueuedMessage(message, { endpointId, inFlight });
        });
    });
    return (await Promise.all(perMessage)).flat();
  }
}

/** What happened before an endpoint was there is not news to it, however late we read it. */
function wants(endpoint: RunningEndpoint, { event, type }: OutgoingMessage): boolean {
  const latest = addMilliseconds(event.metadata.occurredAt, CLOCK_TOLERANCE_MS);
  return coversEventType(endpoint.eventTypes, type) && latest >= endpoint.createdAt;
}
