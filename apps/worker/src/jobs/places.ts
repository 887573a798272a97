import type { Partitions } from '#event-store';
import { PLACES_AT_LEAST } from '../limits.js';

/** How many jobs of one partition may run at once, of `total` over all partitions. */
export function shareOfPlaces(total: number, { count }: Pick<Partitions, 'count'>): number {
  return Math.max(Math.ceil(total / count), PLACES_AT_LEAST);
}
