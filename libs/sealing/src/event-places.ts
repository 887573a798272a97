import type { Position } from '#domain/event';
import { START } from '#event-store';
import { Fault } from '#platform';
import type { SealReader, SealStore } from './seal-reader.js';
import type { SealedEvent } from './stored-seals.js';

/** A copy of a ledger reorders events within a thousand: so many tiles hold them. */
export const REORDERED_TILES = 4;
/** Tiles whose leaves are remembered until sealing goes on: a million leaves, some hundred megabytes. */
export const REMEMBERED_TILES = 4_096;

/** Finds the present positions of sealed events. */
export class EventPlaces {
  readonly #known = new Map<number, Promise<Position | undefined>>();

  constructor(
    private readonly store: SealStore,
    private readonly reader: Pick<SealReader, 'readTiles'>,
  ) {}

  /** The position of the last event of a full tile; undefined where it was erased. @throws Fault. */
  ofTile(index: number): Promise<Position | undefined> {
    const known = this.#known.get(index) ?? this.#readTile(index);
    this.#known.set(index, known);
    return known;
  }

  /** The position of a sealed event; undefined where the store gives it no more. @throws Fault. */
  async of({ stream, revision, eventId }: SealedEvent): Promise<Position | undefined> {
    try {
      const stored = `${this.store.names.namespace}.${stream}`;
      const read = { fromRevision: revision, maxCount: 1 };
      const [event] = await this.store.verbatim.readStream(stored, read);
      return event?.id === eventId ? event.position : undefined;
    } catch (error) {
      // The stream was ended for good.
      if (error instanceof Fault && error.code === 'refused') return undefined;
      throw error;
    }
  }

  /**
   * Finds the place in the log behind which all events of the leaves from a tile on are, also in a copy. An event that
   * was erased since has no place.
   *
   * @param most the tiles that may lie between both.
   * @returns the position, and the first tile whose events may lie behind it.
   * @throws Fault of the store; `undecodable` where more tiles would lie between.
   */
  async findStart(tile: number, most = Infinity): Promise<{ after: Position; fromTile: number }> {
    for (let index = tile - 1 - REORDERED_TILES; index >= 0; index -= 1) {
      if (tile - index > most) throw lostStart();
      const after = await this.ofTile(index);
      if (after !== undefined) return { after, fromTile: Math.max(0, index - REORDERED_TILES) };
    }
    return { after: START, fromTile: 0 };
  }

  async #readTile(index: number): Promise<Position | undefined> {
    const [tile] = await this.reader.readTiles(0, index, 1);
    return tile?.last && this.of(tile.last);
  }
}

function lostStart(): Fault {
  const message =
    'None of the last million sealed events is in the store: nothing was sealed, since it cannot be said where to go on.';
  return new Fault('undecodable', message, { retryable: false });
}
