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
 * Finds the events of its partition that each read model reads. Events of streams that it has parked are held
 * back, and so are those that follow an undecodable event. Events that it has already are left out.
 *
 * @returns a plan for each read model, and the number of events in any of them.
 */
export function planBatch(
  items: readonly FeedItem[],
  readModels: readonly Planned[],
): { readonly plans: readonly BatchPlan[]; readonly events: number } {
  const plans = readModels.map((readModel) => new Plan(readModel));
  const byCategory = new Map<string, readonly Plan[]>();
  let events = 0;
  for (const item of items) {
    const category = categoryOf(item.streamName);
    let readers = byCategory.get(category);
    if (readers === undefined) {
      readers = plans.filter((plan) => plan.reads(category));
      byCategory.set(category, readers);
    }
    let isRead = false;
    for (const plan of readers) if (plan.take(item)) isRead = true;
    if (isRead) events += 1;
  }
  return { plans, events };
}

class Plan implements BatchPlan {
  readonly events: RecordedEvent[] = [];
  readonly #parked = new Map<string, ParkedStream>();

  constructor(private readonly readModel: Planned) {}

  get parked(): readonly ParkedStream[] {
    return [...this.#parked.values()];
  }

  reads(category: string): boolean {
    return this.readModel.projection.categories.includes(category);
  }

  /** @returns whether it is an event to apply. */
  take(item: FeedItem): boolean {
    const { streamName } = item;
    const { position, parked: held } = this.readModel;
    const isHeld = held.has(streamName) || this.#parked.has(streamName);
    if (item.position <= position || isHeld) return false;
    if ('undecodable' in item) {
      this.#parked.set(streamName, parkedAt(item, item.reason));
      return false;
    }
    this.events.push(item);
    return true;
  }
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
