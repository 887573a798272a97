import type { Redis } from 'ioredis';
import type { Position, RecordedEvent } from '#domain/event';
import type { Projection } from '../define/index.js';
import { Leases } from '../leases/leases.js';
import type { PartitionDocuments } from '../partition/partition-documents.js';
import { ReadModelPartition } from '../partition/read-model-partition.js';
import { openReadModel } from '../stored/keys.js';

/** Of the ledger in which they are. */
const LAYOUT_ID = 'store-1';

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

/** A read model in the partitions of a ledger: they are held and being built. */
export async function openVisits(
  redis: Redis,
  { projection, count }: { readonly projection: Projection<number>; readonly count: number },
): Promise<PartitionDocuments[]> {
  const readModel = openReadModel('visits.1.abc', { layoutId: LAYOUT_ID, partitions: count });
  const leases = new Leases({ redis, keys: readModel.leases, holder: 'a', lastsMs: 60_000 });
  return Promise.all(
    readModel.partitions.map(async (keys) => {
      const lease = await leases.acquire(keys.number);
      if (lease === undefined) throw new Error('there are free partitions');
      const place = { name: readModel.name, projection, keys, fence: lease.fence };
      const partition = new ReadModelPartition(redis, { ...place, cachedDocuments: 10 });
      await partition.load();
      await partition.take({ kind: 'begin', generation: 1 }, LAYOUT_ID);
      const documents = partition.at('building');
      if (documents === undefined) throw new Error('it was begun');
      return documents;
    }),
  );
}
