import { HASH_BYTES, TILE_WIDTH } from '#seal';
import type { SealReader, StoredCheckpoint } from '#sealing';

/** Full tiles that are read at once: each is eleven kilobytes. */
const TILES_READ = 64;

/** The hashes of the leaves of a checkpoint's tree in their order, out of tiles and its tail. */
export class LeafSource {
  #hashes: Buffer = Buffer.alloc(0);
  #at = 0;
  #index: number;

  /** @param fromTile the first one whose leaves are wanted; of the tail, where there is no such full tile. */
  constructor(
    private readonly reader: Pick<SealReader, 'readTiles'>,
    private readonly tree: Pick<StoredCheckpoint, 'size' | 'tail'>,
    fromTile = 0,
  ) {
    this.#index = fromTile * TILE_WIDTH;
  }

  /** The number of the next leaf. */
  get index(): number {
    return this.#index;
  }

  /** The next leaf; undefined where `fill` has to read on, or where there is none. */
  take(): Buffer | undefined {
    if (this.#at >= this.#hashes.length) return undefined;
    const hash = this.#hashes.subarray(this.#at, this.#at + HASH_BYTES);
    this.#at += HASH_BYTES;
    this.#index += 1;
    return hash;
  }

  /** Reads further leaves. @returns whether there are any: a log may lack tiles. @throws Fault. */
  async fill(): Promise<boolean> {
    const { size, tail } = this.tree;
    const tile = Math.floor(this.#index / TILE_WIDTH);
    const fullTiles = Math.floor(size / TILE_WIDTH);
    const count = Math.min(TILES_READ, fullTiles - tile);
    const read = count > 0 ? await this.reader.readTiles(0, tile, count) : [];
    const isTail = tile === fullTiles && this.#index < size;
    this.#hashes = isTail ? tail : Buffer.concat(read.map(({ hashes }) => hashes));
    this.#at = 0;
    return this.#hashes.length > 0;
  }
}
