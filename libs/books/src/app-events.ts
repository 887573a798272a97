import type { PostingPolicy } from '#domain/bookkeeping';
import { categoryOf } from '#domain/event';
import { createCodec } from '#event-store';
import type { FoundCheckpoint } from '#sealing';
import { FinanceTerms } from './finance-terms.js';
import type { ForeseenClose } from './foreseen-close.js';
import { LeafOrder } from './leaf-order.js';
import type { BookedEvent, BookedStore } from './posted-log.js';

/** An event of an app, with the terms by which it is booked. */
export interface EventOfApp extends BookedEvent {
  readonly policy: PostingPolicy;
  /** The last month that the app had closed at a smaller leaf; empty where there is none. */
  readonly closedThrough: string;
}

/** The events of an app that are wanted. */
export interface WantedEvents {
  readonly app: string;
  readonly categories: ReadonlySet<string>;
  /** Events of leaves before its end count. */
  readonly upTo: FoundCheckpoint;
  /** Closes of the app that the checkpoint knows. */
  readonly foreseen: readonly ForeseenClose[];
}

/**
 * Events of an app in the order of leaves, from the ledger's first one on: measures that stand beside the books are
 * computed from them.
 *
 * @throws Fault of the store; UndecodableEvent for an event of a newer release.
 */
export async function* readAppEvents(
  store: BookedStore,
  { app, categories, upTo, foreseen }: WantedEvents,
): AsyncGenerator<EventOfApp> {
  const codec = createCodec({ names: store.names });
  // Events between a close's checkpoint and its own event are late, also those that have no entry.
  const terms = new FinanceTerms({ foreseen });
  const order = new LeafOrder(store, { from: 0, upTo });
  for await (const { event: stored, ...booked } of order.read()) {
    const name = store.names.fromStored(stored.streamName);
    const [isTerm, isWanted] = [terms.isOf(name), categories.has(categoryOf(name))];
    if (!isTerm && !isWanted) continue;
    const event = codec.decode(stored);
    if (isTerm) terms.add(event, booked.leaf);
    if (!isWanted || event.metadata.appId !== app) continue;
    yield { ...booked, event, ...terms.find(event.metadata, booked.leaf) };
  }
}
