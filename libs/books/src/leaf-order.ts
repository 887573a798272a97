import type { Instant } from '#domain/event';
import type { VerbatimEvent } from '#event-store';
import { TILE_WIDTH } from '#seal';
import { type AuditedStore, LeafMatcher, LeafSource } from '#seal-audit';
import {
  EventPlaces,
  type FoundCheckpoint,
  readLogLeaves,
  REORDERED_TILES,
  SealReader,
} from '#sealing';
import { CheckpointTimes } from './checkpoint-times.js';
import { InOrder } from './in-order.js';

/** An event with its booking number. */
export interface EventOfLeaf {
  /** The number of its leaf. */
  readonly leaf: number;
  /** The moment of the first checkpoint that has the leaf. */
  readonly bookedAt: Instant;
  readonly event: VerbatimEvent;
}

/** A part of the sealed log. */
export interface SealedPart {
  /** The first leaf that is wanted. */
  readonly from: number;
  /** The checkpoint with whose tree it ends. */
  readonly upTo: FoundCheckpoint;
}

/**
 * Reads sealed events in the order of their leaves, in which a ledger's first store has them, and a copy within some
 * tiles. A leaf whose event was erased is left out.
 */
export class LeafOrder {
  #holes = 0;

  constructor(
    private readonly store: AuditedStore,
    private readonly part: SealedPart,
  ) {}

  /** How many leaves had no event. */
  get holes(): number {
    return this.#holes;
  }

  /** @throws Fault of the store. */
  async *read(): AsyncGenerator<EventOfLeaf> {
    const { from, upTo } = this.part;
    const { size } = upTo.checkpoint;
    const order = new InOrder<Found>(from, REORDERED_TILES * TILE_WIDTH);
    const times = new CheckpointTimes(this.store);
    const { matcher, after } = await this.#begin();
    for await (const { hash, event } of readLogLeaves(this.store, after)) {
      const leaf = await matcher.find(hash);
      if (leaf === undefined) continue;
      order.add(leaf, { leaf, event });
      for (let next = order.take(); next !== undefined; next = order.take()) {
        if (!times.knows(next.leaf)) await times.find(next.leaf);
        yield { ...next, bookedAt: times.at };
      }
      this.#holes = order.holes;
      if (order.next === size) return;
    }
    order.end(size);
    for (let next = order.take(); next !== undefined; next = order.take()) {
      if (!times.knows(next.leaf)) await times.find(next.leaf);
      yield { ...next, bookedAt: times.at };
    }
    this.#holes = order.holes;
  }

  /** The place in the log from which on the leaves come, and the leaves. */
  async #begin() {
    const reader = new SealReader(this.store);
    const places = new EventPlaces(this.store, reader);
    const start = await places.findStart(Math.floor(this.part.from / TILE_WIDTH));
    const source = new LeafSource(reader, this.part.upTo.checkpoint, start.fromTile);
    return { matcher: new LeafMatcher(source), after: start.after };
  }
}

type Found = Pick<EventOfLeaf, 'leaf' | 'event'>;
