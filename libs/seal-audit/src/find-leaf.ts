import { HASH_BYTES, TILE_WIDTH } from '#seal';
import {
  EventPlaces,
  type FoundCheckpoint,
  type LogLeaf,
  REORDERED_TILES,
  type SealReader,
} from '#sealing';
import type { AuditedStore } from './audited-store.js';

/** Finds leaves by the positions of their events: two reads halve the tiles that are left. */
export class LeafFinder {
  readonly #places: EventPlaces;

  constructor(
    store: Pick<AuditedStore, 'names' | 'verbatim'>,
    private readonly reader: SealReader,
    private readonly last: FoundCheckpoint,
  ) {
    this.#places = new EventPlaces(store, reader);
  }

  /**
   * The number of the leaf of an event.
   *
   * @returns undefined where its tree has none near the event: it is not attested, or was altered. @throws Fault.
   */
  async find({ position, hash }: Pick<LogLeaf, 'position' | 'hash'>): Promise<number | undefined> {
    const fullTiles = Math.floor(this.last.checkpoint.size / TILE_WIDTH);
    const tile = await this.#findTile(position, fullTiles);
    // A copy has reordered events: only there are its neighbors looked at.
    return (
      (await this.#look(hash, tile, tile)) ??
      this.#look(hash, Math.max(0, tile - REORDERED_TILES), tile + REORDERED_TILES)
    );
  }

  async #look(hash: Buffer, from: number, to: number): Promise<number | undefined> {
    const { size, tail } = this.last.checkpoint;
    const fullTiles = Math.floor(size / TILE_WIDTH);
    const tiles = await this.reader.readTiles(0, from, Math.min(fullTiles, to + 1) - from);
    const hashes = tiles.map((each) => each.hashes);
    if (to >= fullTiles) hashes.push(tail);
    const at = indexOfHash(Buffer.concat(hashes), hash);
    return at === -1 ? undefined : from * TILE_WIDTH + at;
  }

  /** The first tile whose last event does not lie before the position; the tail, where there is none. */
  async #findTile(position: string, fullTiles: number): Promise<number> {
    let [low, high] = [0, fullTiles];
    while (low < high) {
      const middle = Math.floor((low + high) / 2);
      const known = await this.#findKnown(middle, high);
      if (known === undefined) high = middle;
      else if (known.position < position) low = known.tile + 1;
      else high = Math.min(middle, known.tile);
    }
    return low;
  }

  /** The tile from one on whose last event is there: it may have been erased. */
  async #findKnown(from: number, to: number) {
    for (let tile = from; tile < to; tile += 1) {
      const position = await this.#places.ofTile(tile);
      if (position !== undefined) return { tile, position };
    }
    return undefined;
  }
}

function indexOfHash(hashes: Buffer, hash: Buffer): number {
  for (let at = hashes.indexOf(hash); at !== -1; at = hashes.indexOf(hash, at + 1)) {
    if (at % HASH_BYTES === 0) return at / HASH_BYTES;
  }
  return -1;
}
