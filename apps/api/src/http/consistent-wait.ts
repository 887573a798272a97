import type { Partitions } from '#event-store';
import type { ConsistencyToken } from '#nest';

/**
 * The partitions for which a read waits until they show what a token names: those that it looks at, and
 * none where the token is about another one (rules/api 15).
 *
 * @param read the bucket of all that is looked at; undefined for any.
 */
export function planWait(
  partitions: Partitions,
  { bucket }: Pick<ConsistencyToken, 'bucket'>,
  read: string | undefined,
): number[] {
  if (read === undefined) return partitions.numbers;
  const partition = partitions.findForBucket(read);
  const isAbout = bucket === undefined || partitions.findForBucket(bucket) === partition;
  return isAbout ? [partition] : [];
}
