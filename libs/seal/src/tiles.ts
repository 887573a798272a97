import { CompactRange } from './compact-range.js';
import { HASH_BYTES } from './hash.js';
import { assertValid } from './invalid.js';
import type { ReadHash } from './proofs.js';

/** The hashes in a full tile: those of a subtree of height 8 (C2SP tlog-tiles). */
export const TILE_WIDTH = 256;

/** A row of hashes: leaves at level 0, above it the roots of full tiles of the level below. */
export interface Tile {
  /** 0 to 6. */
  readonly level: number;
  readonly index: number;
  /** The number of its hashes: 1 to 256, less than 256 at the right edge only. */
  readonly width: number;
}

/** The path that serves and stores a tile: `tile/0/x001/x234/067`, or `tile/0/000.p/12` for 12 hashes. */
export function tilePath({ level, ...place }: Tile): string {
  return `tile/${level}/${numberPath(place)}`;
}

/** The path of the entries whose hashes a tile of level 0 has. */
export function entriesPath(place: Omit<Tile, 'level'>): string {
  return `tile/entries/${numberPath(place)}`;
}

/** The tile that a path names; undefined where it names none, or one in another spelling. */
export function parseTilePath(path: string): Tile | undefined {
  const parts = /^tile\/([0-6])\/((?:x\d{3}\/){0,5}\d{3})(?:\.p\/([1-9]\d{0,2}))?$/.exec(path);
  if (parts === null) return undefined;
  const [, level, digits = '', width = TILE_WIDTH] = parts;
  const index = Number(digits.replace(/\D/g, ''));
  const tile = { level: Number(level), index, width: Number(width) };
  return tilePath(tile) === path ? tile : undefined;
}

/** The tiles that a tree has and had not when it was smaller, the partial ones of its right edge included. */
export function* listNewTiles(from: number, to: number): Generator<Tile> {
  for (let [level, old, now] = [0, from, to]; now > 0; level += 1) {
    for (let index = Math.floor(old / TILE_WIDTH); old < now && index * TILE_WIDTH < now; index++) {
      yield { level, index, width: Math.min(TILE_WIDTH, now - index * TILE_WIDTH) };
    }
    [old, now] = [Math.floor(old / TILE_WIDTH), Math.floor(now / TILE_WIDTH)];
  }
}

/**
 * The hashes of a tree for its proofs, each tile read once.
 *
 * @param readTile gives the concatenated hashes of a tile of this tree.
 */
export function readHashesFrom(
  size: number,
  readTile: (tile: Tile) => Buffer | Promise<Buffer>,
): ReadHash {
  const read = new Map<string, Promise<Buffer>>();
  return async (height, number) => {
    const level = Math.floor(height / 8);
    const hashes = 2 ** (height % 8);
    const index = Math.floor((number * hashes) / TILE_WIDTH);
    const wide = Math.floor(size / TILE_WIDTH ** level) - index * TILE_WIDTH;
    const tile = { level, index, width: Math.min(TILE_WIDTH, wide) };
    const bytes = read.get(tilePath(tile)) ?? Promise.resolve(readTile(tile));
    read.set(tilePath(tile), bytes);
    const row = splitHashes(await bytes);
    assertValid(row.length >= tile.width, `The tile ${tilePath(tile)} is cut off.`);
    const start = (number * hashes) % TILE_WIDTH;
    return CompactRange.of(row.slice(start, start + hashes)).root();
  };
}

/** Makes tiles of leaf hashes, and keeps the partial ones: at most 255 hashes for each level. */
export class TileAssembler {
  readonly #levels: Buffer[][];

  /** Goes on with the partial tiles of a tree, from level 0 upwards; a level without one has no bytes. */
  constructor(partialTiles: readonly Buffer[] = []) {
    this.#levels = partialTiles.map(splitHashes);
  }

  /** The tree so far, with its size and root. */
  range(): CompactRange {
    const parts = this.#levels.map((row) => CompactRange.of(row).hashes);
    const size = this.#levels.reduce(
      (sum, { length }, level) => sum + length * TILE_WIDTH ** level,
      0,
    );
    return new CompactRange(size, parts.reverse().flat());
  }

  /** Adds a leaf by its hash, and returns the full tiles that it ends, from level 0 upwards. */
  append(leafHash: Buffer): { level: number; hashes: Buffer }[] {
    const full = [];
    for (let [level, hash] = [0, leafHash]; ; level += 1) {
      const row = (this.#levels[level] ??= []);
      row.push(hash);
      if (row.length < TILE_WIDTH) return full;
      full.push({ level, hashes: Buffer.concat(row) });
      hash = CompactRange.of(row).root();
      this.#levels[level] = [];
    }
  }

  /** The concatenated hashes of the partial tile of each level, as the constructor takes them. */
  partialTiles(): Buffer[] {
    return this.#levels.map((row) => Buffer.concat(row));
  }
}

/** The root of the tree of a tile's hashes: the hash that stands for the tile in the level above. */
export function rootOfTile(hashes: Buffer): Buffer {
  return CompactRange.of(splitHashes(hashes)).root();
}

/** The hashes that stand one behind the other in a tile. */
export function splitHashes(bytes: Buffer): Buffer[] {
  const count = Math.floor(bytes.length / HASH_BYTES);
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * HASH_BYTES, (at + 1) * HASH_BYTES),
  );
}

function numberPath({ index, width }: Omit<Tile, 'level'>): string {
  const digits = String(index);
  const groups = digits.padStart(Math.ceil(digits.length / 3) * 3, '0').match(/\d{3}/g) ?? [];
  const partial = width < TILE_WIDTH ? `.p/${width}` : '';
  return groups.join('/').replaceAll(/\d{3}\//g, 'x$&') + partial;
}
