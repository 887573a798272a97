import { categoryOf, idOf, type RecordedEvent } from '#domain/event';
import type { FeedItem } from '#event-store';
import type { Projection } from '#projections';
import type { Partition, ProjectedStream } from './partition.js';
import { parkedAt, type ParkedStream } from './parked-streams.js';

/** What a batch is to one partition. */
export interface PartitionPlan {
  readonly streams: readonly ProjectedStream[];
  /** Streams of which an event could not even be decoded. */
  readonly parked: readonly ParkedStream[];
}

/** A partition, as far as a plan depends on it. */
type PlannedPartition = {
  readonly parked: Pick<Partition['parked'], 'has'>;
  readonly checkpoint: Pick<Partition['checkpoint'], 'position'>;
};

interface OpenPlan {
  readonly streams: Map<string, { projection: Projection<unknown>; events: RecordedEvent[] }>;
  readonly parked: ParkedStream[];
}

/**
 * Sorts a batch by partition and stream; a partition without an event in it has no plan. A stream belongs
 * to the partition of its id's bucket. Events of parked streams are held, and so is what follows an
 * undecodable event.
 *
 * @param held the partitions that are worked on, by their numbers. What one has already is left out.
 * @param find the partition of what has an id.
 */
export function planBatch(
  items: readonly FeedItem[],
  held: ReadonlyMap<number, PlannedPartition>,
  find: (id: string) => { readonly number: number },
  projections: ReadonlyMap<string, Projection<unknown>>,
): Map<number, PartitionPlan> {
  const plans = new Map<number, OpenPlan>();
  const stopped = new Set<string>();
  for (const item of items) {
    const { streamName, position } = item;
    const projection = projections.get(categoryOf(streamName));
    const { number } = find(idOf(streamName));
    const partition = held.get(number);
    if (projection === undefined || partition === undefined) continue;
    if (stopped.has(streamName) || partition.parked.has(streamName)) continue;
    if ('undecodable' in item) stopped.add(streamName);
    if (position <= partition.checkpoint.position) continue;
    const plan: OpenPlan = plans.get(number) ?? { streams: new Map(), parked: [] };
    plans.set(number, plan);
    if ('undecodable' in item) plan.parked.push(parkedAt(item, item.reason));
    else addEvent(plan, projection, item);
  }
  return new Map(
    [...plans].map(([number, { streams, parked }]) => [
      number,
      { streams: [...streams].map(([streamName, stream]) => ({ streamName, ...stream })), parked },
    ]),
  );
}

function addEvent(plan: OpenPlan, projection: Projection<unknown>, event: RecordedEvent): void {
  const stream = plan.streams.get(event.streamName);
  if (stream === undefined) plan.streams.set(event.streamName, { projection, events: [event] });
  else stream.events.push(event);
}
