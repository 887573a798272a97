import { categoryOf, idOf, type RecordedEvent } from '#domain/event';
import type { FeedItem } from '#event-store';
import type { Projection } from './define/index.js';
import { parkedAt, type ParkedStream } from './parked-streams.js';

/** What a batch is to one read model in one partition. */
export interface PartitionPlan {
  /** In the store's order. */
  readonly events: RecordedEvent[];
  /** Streams of which an event could not even be decoded. */
  readonly parked: ParkedStream[];
}

/** A read model in a partition, as far as a plan depends on it. */
export interface PlannedPartition {
  readonly number: number;
  readonly projection: Pick<Projection<unknown>, 'categories'>;
  readonly position: string;
  readonly parked: { has(streamName: string): boolean };
}

/**
 * Sorts a batch by read model and partition; where there is no event for one, it has no plan. Each read
 * model of a category gets its events, in the partition of the stream's id. Events of streams that it
 * has parked are held back, and so is what follows an undecodable event. What it has already is left out.
 *
 * @param find the partition of what has an id.
 */
export function planBatch<P extends PlannedPartition>(
  items: readonly FeedItem[],
  table: ReaderTable<P>,
  find: (id: string) => number,
): Map<P, PartitionPlan> {
  const plans = new Map<P, PartitionPlan>();
  for (const item of items) {
    const { streamName, position } = item;
    for (const reader of table.find(find(idOf(streamName)), categoryOf(streamName))) {
      if (position <= reader.position || reader.parked.has(streamName)) continue;
      const plan = plans.get(reader) ?? { events: [], parked: [] };
      plans.set(reader, plan);
      if (plan.parked.some((parked) => parked.streamName === streamName)) continue;
      if ('undecodable' in item) plan.parked.push(parkedAt(item, item.reason));
      else plan.events.push(item);
    }
  }
  return plans;
}

/** Which read models read a category in a partition. */
export class ReaderTable<P extends PlannedPartition> {
  readonly #readers = new Map<string, P[]>();

  constructor(readonly all: readonly P[]) {
    for (const reader of all) {
      for (const category of reader.projection.categories) {
        const key = `${reader.number} ${category}`;
        this.#readers.set(key, [...(this.#readers.get(key) ?? []), reader]);
      }
    }
  }

  find(number: number, category: string): readonly P[] {
    return this.#readers.get(`${number} ${category}`) ?? [];
  }
}
