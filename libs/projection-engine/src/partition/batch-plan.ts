import { categoryOf, type Position, type RecordedEvent } from '#domain/event';
import { type FeedItem, type LedgerStore, UndecodableEvent } from '#event-store';
import type { Projection } from '../define/index.js';
import { parkedAt, type ParkedStream } from '../stored/parked-stream.js';

/** The part of a batch that concerns one read model in one partition. */
export interface BatchPlan {
  /** In the store's order. */
  readonly events: readonly RecordedEvent[];
  /** Streams of which an event could not even be decoded. */
  readonly parked: readonly ParkedStream[];
}

/** A read model in a partition, as far as a plan depends on it. */
interface Planned {
  readonly projection: Pick<Projection<unknown>, 'categories'>;
  readonly position: string;
  readonly parked: { has(streamName: string): boolean };
}

/**
 * Finds the events of its partition that a read model reads. Events of streams that it has parked are held
 * back, and so are those that follow an undecodable event. Events that it has already are left out.
 */
export function planBatch(
  items: readonly FeedItem[],
  { projection, position, parked: held }: Planned,
): BatchPlan {
  const events: RecordedEvent[] = [];
  const parked = new Map<string, ParkedStream>();
  for (const item of items) {
    const { streamName } = item;
    if (item.position <= position || held.has(streamName) || parked.has(streamName)) continue;
    if (!projection.categories.includes(categoryOf(streamName))) continue;
    if ('undecodable' in item) parked.set(streamName, parkedAt(item, item.reason));
    else events.push(item);
  }
  return { events, parked: [...parked.values()] };
}

/**
 * Reads the events of a stream from the parked one on, as far as they can be decoded.
 *
 * @throws Fault of the store.
 */
export async function readHeldBack(
  store: Pick<LedgerStore, 'readStream'>,
  { streamName, revision }: ParkedStream,
  upTo: Position,
): Promise<{ events: RecordedEvent[]; undecodable?: ParkedStream }> {
  const events: RecordedEvent[] = [];
  try {
    for await (const event of store.readStream(streamName, { fromRevision: revision })) {
      if (event.position > upTo) break;
      events.push(event);
    }
  } catch (error) {
    if (!(error instanceof UndecodableEvent)) throw error;
    const { item } = error;
    // One that lies ahead comes with the feed, and parks the stream then.
    if (item.position <= upTo) return { events, undecodable: parkedAt(item, item.reason) };
  }
  return { events };
}
