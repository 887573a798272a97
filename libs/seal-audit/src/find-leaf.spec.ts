import { describe, expect, it } from 'vitest';
import { HASH_BYTES, TILE_WIDTH } from '#seal';
import type { FoundCheckpoint, SealReader } from '#sealing';
import { LeafFinder } from './find-leaf.js';
import type { AuditedStore } from './audited-store.js';

/** Tiles of a ledger of five million events. */
const TILES = 19_532;
const TAIL = 100;
const SIZE = TILES * TILE_WIDTH + TAIL;
/** A proof reads a tile of each level besides, and the signatures. */
const MOST_READS = 35;

type ReadStream = AuditedStore['verbatim']['readStream'];
type LocateLeaf = (leaf: number) => number;

const toPosition = (at: number) => String(Math.floor(at)).padStart(20, '0');
const toHash = (leaf: number) => {
  const hash = Buffer.alloc(HASH_BYTES, 0xff);
  hash.writeUInt32BE(leaf);
  return hash;
};
const hashesFrom = (first: number, count: number) =>
  Buffer.concat(Array.from({ length: count }, (_, at) => toHash(first + at)));
/** The event of a leaf is found by its number. */
const toEvent = (leaf: number) => ({ stream: 'payment-1', revision: leaf, eventId: String(leaf) });

/** A ledger whose leaves lie at these positions; some of its events may be erased. */
function openLedger(locate: LocateLeaf, isErased: (leaf: number) => boolean = () => false) {
  let reads = 0;
  const readTiles: SealReader['readTiles'] = async (_, from, count) => {
    reads += 1;
    const tiles = Math.max(0, Math.min(count, TILES - from));
    return Array.from({ length: tiles }, (_each, at) => {
      const first = (from + at) * TILE_WIDTH;
      return { hashes: hashesFrom(first, TILE_WIDTH), last: toEvent(first + TILE_WIDTH - 1) };
    });
  };
  const readStream = (async (_: string, { fromRevision: leaf = 0 }: { fromRevision?: number }) => {
    reads += 1;
    const event = { id: String(leaf), position: toPosition(locate(leaf)) };
    return isErased(leaf) ? [] : [event];
  }) as unknown as ReadStream;
  const store = { names: { namespace: 'n' }, verbatim: { readStream } } as unknown as AuditedStore;
  const tail = hashesFrom(TILES * TILE_WIDTH, TAIL);
  const checkpoint = { size: SIZE, tail, rows: [], note: '', last: toEvent(SIZE - 1) };
  const position = toPosition(locate(SIZE) * 2);
  const last = { kind: 'checkpoint', checkpoint, position } as unknown as FoundCheckpoint;
  const find = async (leaf: number, hash = toHash(leaf)) => {
    reads = 0;
    const finder = new LeafFinder(store, { readTiles }, last);
    const found = await finder.find({ position: toPosition(locate(leaf)), hash });
    return { found, reads };
  };
  return { find };
}

const LEAVES = [0, 255, 256, 1_000_000, 2_500_123, 4_999_999, TILES * TILE_WIDTH - 1, SIZE - 1];

describe('the search for a leaf', () => {
  it('takes few reads where the log grows evenly by its leaves', async () => {
    // Each event has another length, and the tiles lie between them.
    const { find } = openLedger((leaf) => leaf * 600 + (leaf % 7) * 50);
    for (const leaf of LEAVES) {
      const { found, reads } = await find(leaf);
      expect(found).toBe(leaf);
      expect(reads).toBeLessThanOrEqual(4);
    }
  });

  it.each<[string, LocateLeaf]>([
    ['grows ever faster', (leaf) => 1.000_006 ** leaf],
    ['grew fast at first', (leaf) => leaf ** 0.2 * 1e9],
    ['has a gap', (leaf) => leaf * 600 + (leaf < 2_500_100 ? 0 : 1e13)],
    ['has two gaps', (leaf) => leaf * 600 + (leaf < 9_000 ? 0 : 1e14) + (leaf < 4e6 ? 0 : 1e14)],
  ])('takes no more than its share of 40 reads where the log %s', async (_, locate) => {
    const { find } = openLedger((leaf) => locate(leaf) + leaf);
    for (const leaf of [...LEAVES, 8_999, 9_000, 2_500_099, 2_500_100]) {
      const { found, reads } = await find(leaf);
      expect(found).toBe(leaf);
      expect(reads).toBeLessThanOrEqual(MOST_READS);
    }
  });

  it('finds leaves beside tiles whose ends were erased', async () => {
    const isErased = (leaf: number) => leaf > 2_000_000 && leaf < 2_002_000;
    const { find } = openLedger((leaf) => leaf ** 3, isErased);
    for (const leaf of [1_999_999, 2_001_000, 2_002_001, ...LEAVES]) {
      expect((await find(leaf)).found).toBe(leaf);
    }
    const withoutLast = openLedger(
      (leaf) => leaf * 600,
      (leaf) => leaf === SIZE - 1,
    );
    expect((await withoutLast.find(1_000_000)).found).toBe(1_000_000);
  });

  it('finds none for an altered event, nor for one behind the tree', async () => {
    const { find } = openLedger((leaf) => leaf * 600);
    for (const leaf of [0, 3_000_000, SIZE + 5_000]) {
      const { found, reads } = await find(leaf, Buffer.alloc(HASH_BYTES, 1));
      expect(found).toBeUndefined();
      expect(reads).toBeLessThanOrEqual(MOST_READS);
    }
  });
});
