import type { Position } from '#domain/event';
import { Fault } from '#platform';
import { TILE_WIDTH } from '#seal';
import type { SealedEvent, SealReader } from '#sealing';
import type { AuditedStore } from './log-leaves.js';
import { REORDERED_LEAVES } from './order-check.js';

/** Tiles within which a copy of a ledger has reordered events. */
export const REORDERED_TILES = REORDERED_LEAVES / TILE_WIDTH;

/** Finds the present positions of sealed events. */
export class EventPlaces {
  readonly #known = new Map<number, Promise<Position | undefined>>();

  constructor(
    private readonly store: Pick<AuditedStore, 'names' | 'verbatim'>,
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
   * Finds the place in the log behind which all events of the leaves from a tile on are.
   *
   * @returns the position, and the first tile whose events may lie behind it.
   */
  async findStart(tile: number): Promise<{ after: Position; fromTile: number }> {
    for (let index = tile - 1 - REORDERED_TILES; index >= 0; index -= 1) {
      const after = await this.ofTile(index);
      if (after !== undefined) return { after, fromTile: Math.max(0, index - REORDERED_TILES) };
    }
    return { after: '', fromTile: 0 };
  }

  async #readTile(index: number): Promise<Position | undefined> {
    const [tile] = await this.reader.readTiles(0, index, 1);
    return tile?.last && this.of(tile.last);
  }
}
