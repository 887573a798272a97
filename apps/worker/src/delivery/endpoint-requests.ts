import { Injectable } from '@nestjs/common';
import { categoryOf, idOf, type RecordedEvent } from '#domain/event';
import {
  webhookEndpointAggregate,
  type WebhookEndpointResendRequested,
} from '#domain/webhook-endpoint';
import { inFlightMember, resendMember } from '#worker-state';
import type { Planned } from '../feed/event-consumer.js';
import type { Delivery } from './queued-delivery.js';
import type { OutgoingMessage } from './outgoing-message.js';

/** The streams in which is asked for tests, and for messages once more. */
export const ENDPOINT_CATEGORY = webhookEndpointAggregate.category;

/** Whether an event is of an endpoint, and so about this one alone. */
export function isOfEndpoint({ streamName }: Pick<RecordedEvent, 'streamName'>): boolean {
  return categoryOf(streamName) === ENDPOINT_CATEGORY;
}

/** Whether an event asks for messages once more. */
export function asksForResend(
  event: RecordedEvent,
): event is RecordedEvent<
  WebhookEndpointResendRequested['type'],
  WebhookEndpointResendRequested['data']
> {
  return event.type === 'webhook_endpoint.resend_requested.v1';
}

/**
 * What an event asks for once more, in its order, at its endpoint alone and whatever that takes (rules/webhooks 13);
 * none for any other event. Each is a delivery of its own: what was delivered before is sent again.
 */
export function resentDeliveries(event: RecordedEvent): Delivery[] {
  if (!asksForResend(event)) return [];
  const { position, revision: askedAtRevision } = event;
  const target = idOf(event.streamName);
  return event.data.messages.map((message, index) => {
    const { streamName, revision, messageId } = message;
    const member = resendMember(event, target, message, index);
    return { member, position, target, streamName, revision, messageId, askedAtRevision };
  });
}

/** What is asked for at an endpoint itself: it is sent to this one, whatever it takes (rules/webhooks 7). */
@Injectable()
export class EndpointRequests {
  /** The tests, with their apps. They are in flight beside the window: each was asked for by a call of its own. */
  findTests(planned: readonly Planned<readonly OutgoingMessage[]>[]) {
    return planned
      .filter(({ event }) => isOfEndpoint(event))
      .flatMap(({ event, plan }) =>
        plan.map((message) => [toDelivery(event, message), event.metadata.appId] as const),
      );
  }
}

function toDelivery(event: RecordedEvent, { id: messageId }: OutgoingMessage): Delivery {
  const { position, streamName, revision } = event;
  const target = idOf(streamName);
  const member = inFlightMember(event, target, messageId);
  return { member, position, target, streamName, revision, messageId };
}
