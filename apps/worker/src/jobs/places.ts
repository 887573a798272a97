import type { Partitions } from '#event-store';
import { PLACES_AT_LEAST, WAITING_KEPT } from '../limits.js';

interface Share {
  /** How many jobs run at once. */
  readonly places: number;
  /** How many of those that wait are remembered. */
  readonly waitingKept: number;
}

/** A partition's share of what a queue may do at once, of `total` places over all partitions. */
export function shareOfQueue(total: number, partitions: Pick<Partitions, 'count'>): Share {
  const { count } = partitions;
  return {
    places: shareOfPlaces(total, partitions),
    waitingKept: Math.ceil(WAITING_KEPT / count),
  };
}

/** How many jobs of one partition may run at once, of `total` over all partitions. */
export function shareOfPlaces(total: number, { count }: Pick<Partitions, 'count'>): number {
  return Math.max(Math.ceil(total / count), PLACES_AT_LEAST);
}
