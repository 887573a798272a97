import { entriesPath, formatEntries, TILE_WIDTH } from '#seal';
import { REORDERED_TILES } from '#sealing';
import type { BundleFolder } from './bundle-folder.js';

/** An event that an erasure took away: only its hash is left, in the tile. */
const ERASED = Buffer.alloc(0);

/** Writes the lines of events as the entries of their tiles, which may come in another order within some tiles. */
export class EntriesWriter {
  readonly #tiles = new Map<number, (Buffer | undefined)[]>();
  /** @param hasErased whether missing lines are of erased players, and have empty entries in their places. */
  constructor(
    private readonly folder: BundleFolder,
    private readonly size: number,
    private readonly hasErased = true,
  ) {}

  /** Takes the line of a leaf; tiles that lie far behind it are written. */
  async add(leaf: number, line: Buffer): Promise<void> {
    const index = Math.floor(leaf / TILE_WIDTH);
    const lines = this.#tiles.get(index) ?? this.#begin(index);
    lines[leaf % TILE_WIDTH] = line;
    for (const [tile] of this.#tiles)
      if (tile + 2 * REORDERED_TILES < index) await this.#write(tile);
  }

  /** Writes all that is left. */
  async end(): Promise<void> {
    for (const tile of [...this.#tiles.keys()]) await this.#write(tile);
  }

  #begin(index: number): (Buffer | undefined)[] {
    const width = Math.min(TILE_WIDTH, this.size - index * TILE_WIDTH);
    const lines = new Array<Buffer | undefined>(width).fill(undefined);
    this.#tiles.set(index, lines);
    return lines;
  }

  async #write(index: number): Promise<void> {
    const lines = this.#tiles.get(index) ?? [];
    this.#tiles.delete(index);
    const file = entriesPath({ index, width: lines.length });
    const entries = this.hasErased
      ? lines.map((line) => line ?? ERASED)
      : lines.filter((line) => line !== undefined);
    await this.folder.write(file, formatEntries(entries));
  }
}
