import type { LedgerStore } from '#event-store';
import { HASH_BYTES, TILE_WIDTH } from '#seal';
import { EventPlaces, REMEMBERED_TILES } from './event-places.js';
import { hasLeaf, ledgerPattern } from './leaf-table.js';
import { type FoundCheckpoint, SealReader } from './seal-reader.js';
import { addHashes, hashKey, listTiles } from './sealed-log.js';
import { hashEvent } from './seal-writer.js';

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
export async function findUnsealed(store: LedgerStore): Promise<SealedState | undefined> {
  const reader = new SealReader(store);
  const checkpoint = await reader.findLast();
  if (checkpoint === undefined) return undefined;
  const { size, tail } = checkpoint.checkpoint;
  const tiles = Math.floor(size / TILE_WIDTH);
  const places = new EventPlaces(store, reader);
  const { after, fromTile } = await places.findStart(tiles, REMEMBERED_TILES);
  const attested = new Set<string>();
  for await (const hashes of listTiles(reader, fromTile, tiles)) addHashes(attested, hashes);
  addHashes(attested, tail.subarray(0, (size % TILE_WIDTH) * HASH_BYTES));
  const end = new AbortController();
  const { namespace } = store.names;
  try {
    for await (const item of store.verbatim.follow(after, ledgerPattern(namespace), end.signal)) {
      if (item.kind === 'caught-up') break;
      if (item.kind !== 'event') continue;
      const { streamName: stored, revision } = item.event;
      const streamName = stored.slice(namespace.length + 1);
      if (!hasLeaf(streamName) || attested.has(hashKey(hashEvent(streamName, item.event))))
        continue;
      return { checkpoint, unsealed: { streamName: store.names.fromStored(stored), revision } };
    }
  } finally {
    end.abort();
  }
  return { checkpoint, unsealed: undefined };
}
