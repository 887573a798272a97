import { HASH_BYTES, TILE_WIDTH } from '#seal';
import { EventPlaces, REMEMBERED_TILES } from './event-places.js';
import { type LogLeaf, readLogLeaves } from './log-leaves.js';
import { type FoundCheckpoint, SealReader, type SealStore } from './seal-reader.js';
import { addHashes, hashKey, listTiles } from './sealed-log.js';

/** A ledger that has a checkpoint, and whether all of its events are in it. */
export interface SealedState {
  readonly checkpoint: FoundCheckpoint;
  /** The first event found that has no leaf in the checkpoint's tree; undefined where there is none. */
  readonly unsealed: { readonly streamName: string; readonly revision: number } | undefined;
}

/**
 * Looks for events that the last checkpoint does not attest, and writes nothing.
 *
 * @returns undefined for a ledger without a checkpoint. @throws Fault of the store.
 */
export async function findUnsealed(store: SealStore): Promise<SealedState | undefined> {
  const checkpoint = await new SealReader(store).findLast();
  if (checkpoint === undefined) return undefined;
  for await (const { stream, revision } of listUnsealed(store, checkpoint)) {
    const streamName = store.names.fromStored(`${store.names.namespace}.${stream}`);
    return { checkpoint, unsealed: { streamName, revision } };
  }
  return { checkpoint, unsealed: undefined };
}

/** How many events of the log are in no checkpoint yet: of all, where there is none. @throws Fault of the store. */
export async function countUnsealed(
  store: SealStore,
  last: FoundCheckpoint | undefined,
): Promise<number> {
  let count = 0;
  for await (const _ of listUnsealed(store, last)) count += 1;
  return count;
}

async function* listUnsealed(
  store: SealStore,
  last: FoundCheckpoint | undefined,
): AsyncGenerator<LogLeaf> {
  const reader = new SealReader(store);
  const { size, tail } = last?.checkpoint ?? { size: 0, tail: Buffer.alloc(0) };
  const tiles = Math.floor(size / TILE_WIDTH);
  const places = new EventPlaces(store, reader);
  const { after, fromTile } = await places.findStart(tiles, REMEMBERED_TILES);
  const attested = new Set<string>();
  for await (const hashes of listTiles(reader, fromTile, tiles)) addHashes(attested, hashes);
  addHashes(attested, tail.subarray(0, (size % TILE_WIDTH) * HASH_BYTES));
  for await (const leaf of readLogLeaves(store, after)) {
    if (!attested.has(hashKey(leaf.hash))) yield leaf;
  }
}
