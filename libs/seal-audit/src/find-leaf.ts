import type { Position } from '#domain/event';
import { HASH_BYTES, TILE_WIDTH } from '#seal';
import {
  EventPlaces,
  type FoundCheckpoint,
  type LogLeaf,
  REORDERED_TILES,
  type SealReader,
} from '#sealing';
import type { AuditedStore } from './audited-store.js';
import { TileSearch } from './tile-search.js';

/** So many tiles are looked through by one read. */
const LOOKED_THROUGH = 2 * REORDERED_TILES;

/** Finds leaves by the positions of their events: mostly in the first or second tile that is looked at. */
export class LeafFinder {
  readonly #places: EventPlaces;
  #end: Promise<Position> | undefined;

  constructor(
    store: Pick<AuditedStore, 'names' | 'verbatim'>,
    private readonly reader: Pick<SealReader, 'readTiles'>,
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
    this.#end ??= this.#findEnd();
    const tile = Math.floor(this.last.checkpoint.size / TILE_WIDTH);
    const search = new TileSearch(position, { tile, position: await this.#end });
    while (search.range.high - search.range.low > LOOKED_THROUGH) {
      const leaf = await this.#lookBeside(search.next(), hash, search);
      if (leaf !== undefined) return leaf;
    }
    // A copy has reordered events.
    const from = Math.max(0, search.range.low - REORDERED_TILES);
    return (await this.#look(hash, from, search.lastOne + REORDERED_TILES)).leaf;
  }

  /** Looks for a leaf in a tile and those beside it, and else for the position at which the tile ends. */
  async #lookBeside(tile: number, hash: Buffer, search: TileSearch): Promise<number | undefined> {
    const from = Math.max(0, tile - 1);
    const { leaf, tiles } = await this.#look(hash, from, tile + 1);
    if (leaf !== undefined) return leaf;
    const ending = tiles[tile - from]?.last;
    let end = ending && (await this.#places.of(ending));
    // Its event may have been erased.
    let next = tile;
    while (end === undefined && next < search.range.high - 1) {
      next += 1;
      end = await this.#places.ofTile(next);
    }
    search.narrow([tile, next], end);
    return undefined;
  }

  async #look(hash: Buffer, from: number, to: number) {
    const { size, tail } = this.last.checkpoint;
    const fullTiles = Math.floor(size / TILE_WIDTH);
    const tiles = await this.reader.readTiles(0, from, Math.min(fullTiles, to + 1) - from);
    const hashes = tiles.map((each) => each.hashes);
    if (to >= fullTiles) hashes.push(tail);
    const at = indexOfHash(Buffer.concat(hashes), hash);
    return { leaf: at === -1 ? undefined : from * TILE_WIDTH + at, tiles };
  }

  /** The position of the last leaf's event; of the checkpoint, where it was erased. */
  async #findEnd(): Promise<Position> {
    return (await this.#places.of(this.last.checkpoint.last)) ?? this.last.position;
  }
}

function indexOfHash(hashes: Buffer, hash: Buffer): number {
  for (let at = hashes.indexOf(hash); at !== -1; at = hashes.indexOf(hash, at + 1)) {
    if (at % HASH_BYTES === 0) return at / HASH_BYTES;
  }
  return -1;
}
