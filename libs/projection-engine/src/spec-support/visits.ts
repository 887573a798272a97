import type { Redis } from 'ioredis';
import type { Position, RecordedEvent } from '#domain/event';
import { createLogger } from '#platform';
import type { AwaitedPositions } from '../awaited-positions.js';
import type { Projection } from '../define/index.js';
import { openReadModel } from '../keys.js';
import { Leases } from '../leases/leases.js';
import { ProjectedPartition } from '../projected-partition.js';
import { ProjectionFeed } from '../projection-feed.js';

/** Of the ledger in which they are. */
export const LAYOUT_ID = 'store-1';

export function at(position: number): Position {
  return String(position).padStart(20, '0');
}

/** An event of a stream at a revision, one position behind it. */
export function visitNoted(streamName: string, revision: number): RecordedEvent {
  return {
    ...{ type: 'visit.noted.v1', streamName, id: `event-${revision}`, data: {} },
    ...{ revision, position: at(revision + 1) },
    // Of an event, no more than this is looked at.
  } as unknown as RecordedEvent;
}

/** A document for each stream: how many visits were noted, counted by `project`. */
export function countVisits(project: (before: number) => number): Projection<number> {
  return {
    name: 'visits',
    version: 1,
    categories: ['visit'],
    eventTypes: ['visit.noted.v1'],
    documents: { of: 'stream' },
    initialState: 0,
    project,
    indexes: () => [],
    queries: () => ({}),
  };
}

/** Partitions of a ledger that are held and being built, and what feeds them. */
export async function openFeed(
  redis: Redis,
  options: {
    readonly projection: Projection<number>;
    readonly count: number;
    readonly awaited: AwaitedPositions;
  },
): Promise<{ feed: ProjectionFeed; partitions: ProjectedPartition[] }> {
  const { projection, count, awaited } = options;
  const readModel = openReadModel('visits.1.abc', { layoutId: LAYOUT_ID, partitions: count });
  const leases = new Leases({ redis, keys: readModel.leases, holder: 'a', lastsMs: 60_000 });
  const partitions = await Promise.all(
    readModel.partitions.map(async (keys) => {
      const lease = await leases.acquire(keys.number);
      if (lease === undefined) throw new Error('there are free partitions');
      const place = { projection, keys, fence: lease.fence, cachedDocuments: 10 };
      const partition = new ProjectedPartition(redis, place);
      await partition.load();
      await partition.build(LAYOUT_ID);
      return partition;
    }),
  );
  const log = createLogger('test', { level: 'silent' });
  const feed = new ProjectionFeed({ redis, count, log, awaited }, partitions);
  await feed.open();
  return { feed, partitions };
}
