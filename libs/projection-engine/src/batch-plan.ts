import { categoryOf, type RecordedEvent } from '#domain/event';
import type { FeedItem } from '#event-store';
import type { Projection } from '#projections';
import type { Namespace } from './keys.js';
import type { Partition, ProjectedStream } from './partition.js';
import { parkedAt, type ParkedStream } from './parked-streams.js';

/** What a batch is to one partition. */
export interface PartitionPlan {
  readonly streams: readonly ProjectedStream[];
  /** Streams of which an event could not even be decoded. */
  readonly parked: readonly ParkedStream[];
}

interface OpenPlan {
  readonly streams: Map<string, { projection: Projection<unknown>; events: RecordedEvent[] }>;
  readonly parked: ParkedStream[];
}

/**
 * Sorts a batch by partition and stream. Events of parked streams are held, and so is what follows an
 * undecodable event; that goes to the first partition, as its own cannot be read.
 *
 * @param partitions in the order of the namespace's. What a partition has already is left out.
 */
export function planBatch(
  items: readonly FeedItem[],
  partitions: readonly Partition[],
  namespace: Namespace,
  projections: ReadonlyMap<string, Projection<unknown>>,
): PartitionPlan[] {
  const plans = partitions.map((): OpenPlan => ({ streams: new Map(), parked: [] }));
  const held = new Set<string>();
  for (const item of items) {
    const { streamName } = item;
    if (held.has(streamName) || partitions.some((partition) => partition.parked.has(streamName)))
      continue;
    if ('undecodable' in item) {
      held.add(streamName);
      if (item.position > (partitions[0]?.checkpoint.position ?? '')) {
        plans[0]?.parked.push(parkedAt(item, item.reason));
      }
      continue;
    }
    const projection = projections.get(categoryOf(streamName));
    if (projection === undefined) continue;
    const { number } = findPartition(item, projection, namespace);
    if (item.position > (partitions[number]?.checkpoint.position ?? ''))
      addEvent(plans[number], projection, item);
  }
  return plans.map(({ streams, parked }) => ({
    streams: [...streams].map(([streamName, stream]) => ({ streamName, ...stream })),
    parked,
  }));
}

function findPartition(
  event: RecordedEvent,
  projection: Projection<unknown>,
  namespace: Namespace,
) {
  const { appId, player } = event.metadata;
  return namespace.partitionOf(appId, projection.partitionBy === 'player' ? player : undefined);
}

function addEvent(
  plan: OpenPlan | undefined,
  projection: Projection<unknown>,
  event: RecordedEvent,
): void {
  const stream = plan?.streams.get(event.streamName);
  if (stream === undefined) plan?.streams.set(event.streamName, { projection, events: [event] });
  else stream.events.push(event);
}
