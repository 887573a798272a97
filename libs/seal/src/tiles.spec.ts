import { describe, expect, it } from 'vitest';
import {
  CompactRange,
  entriesPath,
  HASH_BYTES,
  hashLeaf,
  InvalidSeal,
  listNewTiles,
  parseTilePath,
  proveConsistency,
  proveInclusion,
  readHashesFrom,
  type Tile,
  TILE_WIDTH,
  TileAssembler,
  tilePath,
  verifyConsistency,
  verifyInclusion,
} from './index.js';

/** Sizes around the widths of tiles of each level. */
const SIZES = [1, 2, 255, 256, 257, 511, 512, 700, 65_535, 65_536, 65_537, 70_000];
const LEAVES = Array.from({ length: SIZES.at(-1)! }, (_, at) => hashLeaf(Buffer.from(String(at))));
const { stored, roots } = storeTiles();

/** All tiles of the trees of these sizes, as a log stores them, and the roots. */
function storeTiles() {
  const stored = new Map<string, Buffer>();
  const roots = new Map<number, Buffer>();
  let assembler = new TileAssembler();
  const store = (level: number, last: number, hashes: Buffer) => {
    const width = hashes.length / HASH_BYTES;
    const index = Math.ceil(Math.floor(last / TILE_WIDTH ** level) / TILE_WIDTH) - 1;
    stored.set(tilePath({ level, index, width }), hashes);
  };
  for (const [at, leaf] of LEAVES.entries()) {
    for (const { level, hashes } of assembler.append(leaf)) store(level, at + 1, hashes);
    if (!SIZES.includes(at + 1)) continue;
    const partial = assembler.partialTiles();
    for (const [level, hashes] of partial.entries()) {
      if (hashes.length > 0) store(level, at + 1, hashes);
    }
    roots.set(at + 1, assembler.range().root());
    assembler = new TileAssembler(partial);
  }
  return { stored, roots };
}

function readTile(tile: Tile): Buffer {
  const bytes = stored.get(tilePath(tile));
  if (bytes === undefined) throw new Error(`${tilePath(tile)} is not there`);
  return bytes;
}

describe('the path of a tile', () => {
  it.each([
    ['tile/0/000', { level: 0, index: 0, width: 256 }],
    ['tile/0/x001/x234/067', { level: 0, index: 1_234_067, width: 256 }],
    ['tile/1/000.p/12', { level: 1, index: 0, width: 12 }],
    ['tile/2/x001/000.p/255', { level: 2, index: 1000, width: 255 }],
    ['tile/0/x035/x184/x372/088', { level: 0, index: 35_184_372_088, width: 256 }],
  ])('is %s', (path, tile) => {
    expect(tilePath(tile)).toBe(path);
    expect(parseTilePath(path)).toEqual(tile);
    expect(entriesPath(tile)).toBe(path.replace(/tile\/\d/, 'tile/entries'));
  });

  it.each([
    ...['tile/0/0', 'tile/0/x000/001', 'tile/0/001/001', 'tile/00/000', 'tile/7/000'],
    ...['tile/0/000.p/0', 'tile/0/000.p/256', 'tile/0/000.p/300', 'tile/0/000.p/012'],
    ...['tile/entries/000', '/tile/0/000', 'tile/0/000/', 'tile/0/../000', 'tile/0/000\n'],
  ])('is not %j', (path) => {
    expect(parseTilePath(path)).toBeUndefined();
  });
});

describe('the tiles of a tree', () => {
  it('give its root at any size', () => {
    for (const [size, root] of roots) {
      expect(root).toEqual(CompactRange.of(LEAVES.slice(0, size)).root());
    }
  });

  it('of 70,000 leaves are those that C2SP tells', () => {
    const tiles = [...listNewTiles(0, 70_000)];
    expect(tiles.filter(({ level, width }) => level === 0 && width === 256)).toHaveLength(273);
    expect(tiles.filter(({ level, width }) => level > 0 || width < 256)).toEqual([
      { level: 0, index: 273, width: 112 },
      { level: 1, index: 0, width: 256 },
      { level: 1, index: 1, width: 17 },
      { level: 2, index: 0, width: 1 },
    ]);
  });

  it('that are new in a larger one are those which differ, and all of them', () => {
    for (const [at, to] of SIZES.entries()) {
      for (const from of [0, ...SIZES.slice(0, at + 1)]) {
        const before = new Set([...listNewTiles(0, from)].map(tilePath));
        const all = [...listNewTiles(0, to)].map(tilePath);
        const fresh = [...listNewTiles(from, to)].map(tilePath);
        expect(fresh).toEqual(all.filter((path) => !before.has(path)));
        expect(all.filter((path) => !stored.has(path))).toEqual([]);
      }
    }
  });

  it('prove leaves and smaller trees, each read once and few of them', async () => {
    for (const size of SIZES) {
      const tree = { size, root: roots.get(size)! };
      for (const index of new Set([0, Math.floor(size / 3), size - 1])) {
        let reads = 0;
        const read = (tile: Tile) => ((reads += 1), readTile(tile));
        const proof = await proveInclusion(index, size, readHashesFrom(size, read));
        expect(verifyInclusion({ index, hash: LEAVES[index]! }, tree, proof)).toBe(true);
        // A tile of each level on the way up, and one at the right edge.
        expect(reads).toBeLessThanOrEqual(6);
      }
      for (const from of SIZES.filter((smaller) => smaller <= size)) {
        const proof = await proveConsistency(from, size, readHashesFrom(size, readTile));
        const isRight = verifyConsistency({ size: from, root: roots.get(from)! }, tree, proof);
        expect([from, size, isRight]).toEqual([from, size, true]);
      }
    }
  });

  it('prove nothing when one is cut off', async () => {
    const cut = readHashesFrom(700, (tile) => readTile(tile).subarray(HASH_BYTES));
    await expect(proveInclusion(3, 700, cut)).rejects.toThrow(
      new InvalidSeal('The tile tile/0/000 is cut off.'),
    );
  });
});
