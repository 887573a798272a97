import { CompactRange, TILE_WIDTH } from '#seal';

/** A tree that grows leaf by leaf, and tells the root of each tile that gets full. */
export class TreeBuilder {
  #tiles = new CompactRange();
  #tile = new CompactRange();

  /** @param onTile called with the root of each full tile of level 0. */
  constructor(private readonly onTile: (root: Buffer) => void) {}

  get size(): number {
    return this.#tiles.size * TILE_WIDTH + this.#tile.size;
  }

  append(leafHash: Buffer): void {
    this.#tile.append(leafHash);
    if (this.#tile.size < TILE_WIDTH) return;
    const root = this.#tile.root();
    this.#tile = new CompactRange();
    this.#tiles.append(root);
    this.onTile(root);
  }

  root(): Buffer {
    return new CompactRange(this.size, [...this.#tiles.hashes, ...this.#tile.hashes]).root();
  }
}
