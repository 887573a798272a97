import type { Instant } from '#domain/event';
import type { InFlight } from '#worker-state';

/** A delivery of one message to one endpoint. */
export interface Delivery extends InFlight {
  readonly messageId: string;
}

/** A delivery in its queue. */
export interface QueuedDelivery {
  readonly delivery: Delivery;
  /** Since when it is here, by the monotonic clock. */
  readonly addedAtMs: number;
  /** Attempts that were made and failed. After the first one, its job of BullMQ makes the next. */
  attempts: number;
  /** When the first attempt failed, by the wall clock; undefined where none has. */
  firstFailedAtMs: number | undefined;
  /** Its job of BullMQ, or its parked stream; undefined where nothing but a place is waited for. */
  waitsFor: 'retry' | 'stream' | undefined;
  /** It lets later ones of its subject pass (rules/webhooks 5). */
  isAside: boolean;
  /** When its endpoint had been enabled, as its last attempt was made; undefined where that is not known. */
  enabledAt?: Instant | undefined;
  /** Whether it has a place or waits for one, or what became of its attempt is not noted yet. */
  isOffered: boolean;
  /** How often it went back in a row, since our own side failed. */
  givenBack: number;
}

/** What attempts that failed have left of a delivery. */
export type EarlierAttempts = Pick<
  QueuedDelivery,
  'attempts' | 'firstFailedAtMs' | 'isAside' | 'enabledAt'
>;

/** What goes one after the other: the stream is the subject of the message. */
export function orderKey({ delivery: { streamName, askedAtRevision } }: QueuedDelivery): string {
  return askedAtRevision === undefined ? streamName : `again ${streamName}`;
}

/** Into its place among others that stand in order: nearly always near their end. */
export function insert(sorted: QueuedDelivery[], item: QueuedDelivery): void {
  let at = sorted.length;
  while (at > 0 && isBehind(sorted[at - 1], item)) at -= 1;
  sorted.splice(at, 0, item);
}

/** Of what one event asks for again, the older message goes first: its revision is a number, and no text. */
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
