import type { Instant } from '#domain/event';
import { groupBy } from '#platform';
import { byMember, readInFlight } from './in-flight.js';

/** A delivery that was given up: its attempts were used up, or the receiver wants nothing more. */
export interface ExhaustedDelivery {
  /** Its member of the work in flight, which begins with the position of its event. */
  readonly member: string;
  readonly appId: string;
  /** The type of the message. */
  readonly type: string;
  readonly attempts: number;
  /** The error of the last attempt, as `shortenReason` leaves it. */
  readonly reason: string;
  /** By the wall clock. */
  readonly exhaustedAt: Instant;
}

/** Why a delivery ends that could have been made: the reason of one that was given up unsent (rules/storage 16). */
export const PLAYER_ERASED = 'the player was erased';

/** How many of a partition are named, shared by its endpoints: each whole of a backup has them, some 400 bytes each. */
export const EXHAUSTED_NAMED = 4_000;

/** Characters of a reason: part of it may be a receiver's own text, of any length. */
const REASON_LENGTH = 200;

/** @returns as much of a reason as is kept. */
export function shortenReason(reason: string): string {
  return reason.length <= REASON_LENGTH ? reason : `${reason.slice(0, REASON_LENGTH - 1)}…`;
}

/**
 * The last ones that were given up. Where there are too many, the endpoints that have most of them lose their oldest:
 * one's failures are no reason to forget those of another one (decision 0031).
 *
 * @returns them in the store's order; the last of two that are the same.
 */
export function nameNewest(deliveries: readonly ExhaustedDelivery[]): ExhaustedDelivery[] {
  const last = new Map(deliveries.map((each) => [each.member, each]));
  const all = groupBy([...last.values()], ({ member }) => readInFlight(member)?.target ?? '');
  const share = findShare(all.map(({ length }) => length));
  return all.flatMap((each) => each.sort(byTime).slice(-share)).sort(byMember);
}

/** How many an endpoint has at most, so that all of them together have no more than are named; one at least. */
function findShare(sizes: readonly number[]): number {
  let left = EXHAUSTED_NAMED;
  for (const [index, size] of [...sizes].sort((one, other) => one - other).entries()) {
    const share = Math.max(1, Math.floor(left / (sizes.length - index)));
    if (size > share) return share;
    left -= size;
  }
  return EXHAUSTED_NAMED;
}

function byTime(one: ExhaustedDelivery, other: ExhaustedDelivery): number {
  if (one.exhaustedAt !== other.exhaustedAt) return one.exhaustedAt < other.exhaustedAt ? -1 : 1;
  return byMember(one, other);
}
