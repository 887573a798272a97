import { resendMember } from '#worker-state';
import { categoryOf, idOf, type Instant, type RecordedEvent } from '#domain/event';
import {
  webhookEndpointAggregate,
  type WebhookEndpointResendRequested,
} from '#domain/webhook-endpoint';
import type { Delivery } from '../send/outgoing-messages.js';

/** A delivery in its queue. */
export interface QueuedDelivery {
  readonly delivery: Delivery;
  /** Attempts that were made and failed. After the first one, its job of BullMQ makes the next. */
  attempts: number;
  /** When the first attempt failed, by the wall clock; undefined where none has. */
  firstFailedAtMs: number | undefined;
  /** Its job of BullMQ, or its parked stream; undefined where it waits for a slot alone. */
  waitsFor: 'retry' | 'stream' | undefined;
  /** It lets later ones of its subject pass (rules/webhooks 5). */
  isDeferred: boolean;
  /** When its endpoint had been enabled, as its last attempt was made; undefined where that is not known. */
  enabledAt?: Instant | undefined;
  /** Whether it has a concurrency slot or waits for one, or the outcome of its attempt is not noted yet. */
  isOffered: boolean;
  /** How often it went back in a row, since our own side failed. */
  requeued: number;
}

/** Deliveries of one key go one after the other: the stream is the subject of the message. */
export function orderKey({ delivery: { streamName, askedAtRevision } }: QueuedDelivery): string {
  return askedAtRevision === undefined ? streamName : `again ${streamName}`;
}

/** Into its place among others that stand in order: nearly always near their end. */
export function insert(sorted: QueuedDelivery[], item: QueuedDelivery): void {
  let at = sorted.length;
  while (at > 0 && isBehind(sorted[at - 1], item)) at -= 1;
  sorted.splice(at, 0, item);
}

/** Of the messages that one event asks for again, the older one goes first: its revision is a number, and no text. */
export function isBehind(
  left: QueuedDelivery | undefined,
  right: QueuedDelivery | undefined,
): boolean {
  if (left === undefined || right === undefined) return false;
  const [one, other] = [left.delivery, right.delivery];
  if (one.position !== other.position) return one.position > other.position;
  if (one.revision !== other.revision) return one.revision > other.revision;
  return one.member > other.member;
}

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
 * The messages that an event asks for once more, in its order, at its endpoint alone and whatever that takes
 * (rules/webhooks 13); none for any other event. Each is a delivery of its own: delivered messages are sent again.
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
