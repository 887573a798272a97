import type { Position } from '#domain/event';
import { type Backup, readInFlight } from '#worker-state';

/** The deliveries of an endpoint that are under way or wait, over all partitions. */
export interface EndpointCounts {
  readonly inFlight: number;
  /** Of the oldest event of which something is in flight; null where nothing is. */
  readonly oldest: Position | null;
  /** After which position the store is read again for it; null where it is backlogged in no partition. */
  readonly behindAfter: Position | null;
}

export const NO_COUNTS: EndpointCounts = {
  ...{ inFlight: 0, oldest: null, behindAfter: null },
};

type WrittenBackup = Pick<Backup, 'inFlight' | 'cursors'>;

/** By the ids of endpoints; those that nothing is known of are left out. */
export function countByEndpoint(
  backups: readonly (WrittenBackup | undefined)[],
): ReadonlyMap<string, EndpointCounts> {
  const counts = new Map<string, EndpointCounts>();
  const update = (id: string, change: (before: EndpointCounts) => Partial<EndpointCounts>) => {
    const before = counts.get(id) ?? NO_COUNTS;
    counts.set(id, { ...before, ...change(before) });
  };
  for (const { inFlight, cursors } of backups.filter((backup) => backup !== undefined)) {
    for (const { member } of inFlight) {
      const work = readInFlight(member);
      // Charges and refunds are in flight, too, and are sent to no endpoint.
      if (work?.messageId === undefined) continue;
      const { target, position } = work;
      update(target, (before) => ({
        ...{ inFlight: before.inFlight + 1, oldest: earlier(before.oldest, position) },
      }));
    }
    for (const { endpointId, after } of cursors) {
      update(endpointId, (before) => ({ behindAfter: earlier(before.behindAfter, after) }));
    }
  }
  return counts;
}

function earlier(one: Position | null, other: Position): Position {
  return one === null || other < one ? other : one;
}
