import type { Instant } from '#domain/event';

/** A delivery that was given up: its attempts were used up, or the receiver wants nothing more. */
export interface ExhaustedDelivery {
  /** Its member of the work in flight, which begins with the position of its event. */
  readonly member: string;
  readonly appId: string;
  /** The type of the message. */
  readonly type: string;
  readonly attempts: number;
  /** What the last attempt failed with, as `shortenReason` leaves it. */
  readonly reason: string;
  /** By the wall clock. */
  readonly exhaustedAt: Instant;
}

/** Why a delivery ends that could have been made: the reason of one that was given up unsent (rules/storage 16). */
export const PLAYER_ERASED = 'the player was erased';

/** How many of a partition are named, those of the newest events: each whole of a backup has them. */
export const EXHAUSTED_NAMED = 1_000;

/** Characters of a reason: part of it may be a receiver's own text, of any length. */
const REASON_LENGTH = 200;

/** @returns as much of a reason as is kept. */
export function shortenReason(reason: string): string {
  return reason.length <= REASON_LENGTH ? reason : `${reason.slice(0, REASON_LENGTH - 1)}…`;
}

/** @returns the newest ones by their members, in the store's order; the last of two that are the same. */
export function nameNewest(
  deliveries: readonly ExhaustedDelivery[],
): ReadonlyMap<string, ExhaustedDelivery> {
  const byMember = new Map(deliveries.map((each) => [each.member, each]));
  const sorted = [...byMember].sort(([left], [right]) => (left < right ? -1 : 1));
  return new Map(sorted.slice(-EXHAUSTED_NAMED));
}
