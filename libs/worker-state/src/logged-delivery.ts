import { groupBy } from '#platform';
import type { AttemptRecord, Outcome } from './attempt.js';

/** An attempt as it was found. */
export interface LoggedAttempt extends AttemptRecord {
  /** Where it stands in the log over all partitions: texts compare as the times do at which they were recorded. */
  readonly place: string;
  /** When the log took it, which is right after it ended: an ISO instant, by the clock of Redis. */
  readonly recordedAt: string;
}

/** The state of a delivery, by its newest attempt; with `erased` it ended unsent. */
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

/** The wanted deliveries; omitted fields do not matter. */
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
  /**
   * The place after which the next page goes on; null behind the last one. Two places: the newest attempt that there
   * was when the first page was read, and the newest one of the last delivery of this page.
   */
  readonly next: string | null;
}

interface Cut {
  readonly limit: number;
  readonly after: string | undefined;
}

/** A page of deliveries. @param attempts of one endpoint, newest first. */
export function cutDeliveries(
  attempts: readonly LoggedAttempt[],
  filter: DeliveryFilter,
  { limit, after }: Cut,
): DeliveryPage {
  const [snapshot = '', before] = after?.split(' ') ?? [attempts[0]?.place];
  const wanted = groupByMessage(attempts.filter(({ place }) => place <= snapshot)).filter(
    (delivery) =>
      fits(delivery, filter) && (before === undefined || delivery.newest.place < before),
  );
  const deliveries = wanted.slice(0, limit);
  const last = wanted.length > limit ? deliveries.at(-1)?.newest.place : undefined;
  return { deliveries, next: last === undefined ? null : `${snapshot} ${last}` };
}

function groupByMessage(attempts: readonly LoggedAttempt[]): LoggedDelivery[] {
  return groupBy(attempts, ({ messageId }) => messageId).flatMap((newestFirst) => {
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
  const ms = Date.parse(delivery.newest.recordedAt);
  if (ms < sinceMs || ms > untilMs) return false;
  return delivery.messageId === messageId && delivery.type === type && delivery.state === state;
}
