import type { Partitions } from '#event-store';
import { LOOKS_PER_SECOND, PLACES_AT_LEAST, WAITING_KEPT } from '../limits.js';
import type { FairJobsSettings } from './fair-jobs.js';

/** A partition's share of what a queue may do at once, of `total` places over all partitions. */
export function shareOfQueue(
  total: number,
  partitions: Pick<Partitions, 'count'>,
): FairJobsSettings {
  const { count } = partitions;
  return {
    places: shareOfPlaces(total, partitions),
    waitingKept: Math.ceil(WAITING_KEPT / count),
    looksPerSecond: Math.ceil(LOOKS_PER_SECOND / count),
  };
}

/** How many jobs of one partition may run at once, of `total` over all partitions. */
export function shareOfPlaces(total: number, { count }: Pick<Partitions, 'count'>): number {
  return Math.max(Math.ceil(total / count), PLACES_AT_LEAST);
}
