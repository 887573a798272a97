import type { Outcome } from './attempt.js';
import { comparePlaces, type ListPlace } from './log-place.js';
import type { LoggedAttempt } from './partition-log.js';

/** What became of a delivery, by its newest attempt; with `erased` it ended unsent. */
export const DELIVERY_STATES = ['delivered', 'failing', 'exhausted', 'erased'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

const STATES: Readonly<Record<Outcome, DeliveryState>> = {
  ...{ delivered: 'delivered', failed: 'failing', exhausted: 'exhausted', erased: 'erased' },
};

/** A message at an endpoint, with all that is known of its attempts, resends included (rules/webhooks 10). */
export interface LoggedDelivery extends Pick<
  LoggedAttempt,
  'messageId' | 'type' | 'streamName' | 'revision' | 'sequence'
> {
  readonly state: DeliveryState;
  readonly newest: LoggedAttempt;
  /** Oldest first. */
  readonly attempts: readonly LoggedAttempt[];
}

/** Which deliveries are wanted; what is left out does not matter. */
export interface DeliveryFilter {
  readonly messageId?: string | undefined;
  readonly type?: string | undefined;
  readonly state?: DeliveryState | undefined;
  /** When their newest attempts were recorded, in milliseconds since the epoch; both are included. */
  readonly sinceMs?: number | undefined;
  readonly untilMs?: number | undefined;
}

export interface DeliveryPage {
  /** Those with the newest attempts first. */
  readonly deliveries: readonly LoggedDelivery[];
  /** Where the next page goes on; null behind the last one. */
  readonly next: ListPlace | null;
}

interface Cut {
  readonly limit: number;
  readonly after: ListPlace | undefined;
}

/** A page of deliveries. @param attempts of one endpoint, newest first. */
export function cutDeliveries(
  attempts: readonly LoggedAttempt[],
  filter: DeliveryFilter,
  { limit, after }: Cut,
): DeliveryPage {
  const wanted = groupByMessage(attempts).filter(
    (delivery) =>
      fits(delivery, filter) &&
      (after === undefined || comparePlaces(delivery.newest.place, after.last) < 0),
  );
  const deliveries = wanted.slice(0, limit);
  const snapshot = after?.snapshot ?? attempts[0]?.place;
  const last = wanted.length > limit ? deliveries.at(-1)?.newest.place : undefined;
  return { deliveries, next: snapshot && last ? { snapshot, last } : null };
}

function groupByMessage(attempts: readonly LoggedAttempt[]): LoggedDelivery[] {
  const byMessage = new Map<string, LoggedAttempt[]>();
  for (const attempt of attempts) {
    const known = byMessage.get(attempt.messageId);
    if (known === undefined) byMessage.set(attempt.messageId, [attempt]);
    else known.push(attempt);
  }
  return [...byMessage.values()].flatMap((newestFirst) => {
    const [newest] = newestFirst;
    if (newest === undefined) return [];
    const { messageId, type, streamName, revision, sequence, outcome } = newest;
    const of = { messageId, type, streamName, revision, sequence };
    return [{ ...of, state: STATES[outcome], newest, attempts: newestFirst.toReversed() }];
  });
}

function fits(delivery: LoggedDelivery, filter: DeliveryFilter): boolean {
  const { messageId = delivery.messageId, type = delivery.type, state = delivery.state } = filter;
  const { sinceMs = 0, untilMs = Infinity } = filter;
  const { ms } = delivery.newest.place;
  if (ms < sinceMs || ms > untilMs) return false;
  return delivery.messageId === messageId && delivery.type === type && delivery.state === state;
}
