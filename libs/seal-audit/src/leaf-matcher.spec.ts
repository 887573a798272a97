import { describe, expect, it } from 'vitest';
import { HASH_BYTES } from '#seal';
import { LeafMatcher } from './leaf-matcher.js';
import { LeafSource } from './leaf-source.js';

const hashes = Array.from({ length: 700 }, (_, at) => {
  const hash = Buffer.alloc(HASH_BYTES);
  hash.writeUInt32BE(at);
  return hash;
});
const tiles = [0, 256].map((from) => ({
  hashes: Buffer.concat(hashes.slice(from, from + 256)),
  last: undefined,
}));
const tree = { size: 700, tail: Buffer.concat(hashes.slice(512)) };
const makeMatcher = (stored = tiles, fromTile = 0) => {
  const readTiles = (_: number, from: number, count: number) =>
    Promise.resolve(stored.slice(from, from + count));
  return new LeafMatcher(new LeafSource({ readTiles }, tree, fromTile));
};
const findAll = async (matcher: LeafMatcher, order: readonly number[]) => {
  const found = [];
  for (const at of order) found.push(await matcher.find(hashes[at] ?? Buffer.alloc(HASH_BYTES, 1)));
  return found;
};

describe('the matching of events and leaves', () => {
  it('finds each leaf in its order and out of it, across tiles and tail', async () => {
    const order = [...hashes.keys()];
    expect(await findAll(makeMatcher(), order)).toEqual(order);
    const matcher = makeMatcher();
    expect(await findAll(matcher, order.toReversed())).toEqual(order.toReversed());
    expect(matcher.listMissing(700)).toEqual([]);
  });

  it('finds no leaf twice, and none for an event that has none', async () => {
    expect(await findAll(makeMatcher(), [3, 3, 9_999, 4])).toEqual([3, undefined, undefined, 4]);
  });

  it('lists runs of leaves whose events did not come', async () => {
    const matcher = makeMatcher();
    await findAll(matcher, [0, 3, 1, 600]);
    expect(matcher.listMissing(700)).toEqual([
      { from: 2, to: 3 },
      { from: 4, to: 600 },
      { from: 601, to: 700 },
    ]);
    expect(makeMatcher().listMissing(700)).toEqual([{ from: 0, to: 700 }]);
  });

  it('begins at a tile', async () => {
    expect(await findAll(makeMatcher(tiles, 1), [255, 256, 257])).toEqual([undefined, 256, 257]);
  });

  it('ends where tiles are missing', async () => {
    expect(await findAll(makeMatcher(tiles.slice(0, 1)), [255, 256])).toEqual([255, undefined]);
  });
});
