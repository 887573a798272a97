import type { Position } from '#domain/event';
import type { LedgerStore } from '#event-store';
import { assertDefect, Fault } from '#platform';
import { HASH_BYTES, rootOfTile, splitHashes, TILE_WIDTH, TileAssembler } from '#seal';
import { EventPlaces, REMEMBERED_TILES } from './event-places.js';
import { type FoundCheckpoint, SealReader } from './seal-reader.js';
import { type SealedEvent, tileStream, toTileEvent } from './stored-seals.js';

/** The tree as the store has it, and the place at which its sealing goes on. */
export interface SealedLog {
  /** With all leaves that the store has. */
  readonly assembler: TileAssembler;
  /** How many full tiles there are, by level. */
  readonly tiles: number[];
  readonly checkpoint: FoundCheckpoint | undefined;
  /** Of the last event of the stream of checkpoints; -1 where there is none. */
  readonly checkpointsRevision: number;
  /** The event of the last leaf. */
  readonly last: SealedEvent | undefined;
  /** All events behind it are looked at. */
  readonly after: Position;
  /** The hashes of leaves whose events may lie behind that position. */
  readonly known: ReadonlySet<string>;
}

/**
 * Reads how far the ledger is sealed. Where a sealer was killed between two levels, the missing tiles are written: they
 * follow from the tiles below.
 *
 * @throws Fault of the store; `undecodable` where its seals contradict each other; RevisionConflict where another
 *   sealer repairs it at the same time.
 */
export async function loadSealedLog(store: LedgerStore): Promise<SealedLog> {
  const reader = new SealReader(store);
  const first = await reader.countTiles(0);
  const { checkpoint, checkpointsRevision } = await readCheckpoints(reader);
  const leaves = await readLeaves(reader, first, checkpoint);
  const { tiles, rows } = await readUpperLevels(store, reader, first);
  const { after, fromTile } = await new EventPlaces(store, reader).findStart(
    first,
    REMEMBERED_TILES,
  );
  const known = new Set<string>();
  for await (const hashes of listTiles(reader, fromTile, first)) addHashes(known, hashes);
  addHashes(known, leaves.tail);
  const assembler = new TileAssembler([leaves.tail, ...rows]);
  return { assembler, tiles, checkpoint, checkpointsRevision, last: leaves.last, after, known };
}

/** The form of a leaf's hash in `SealedLog.known`. */
export function hashKey(hash: Buffer): string {
  return hash.toString('latin1');
}

async function readCheckpoints(reader: SealReader) {
  let checkpointsRevision = -1;
  for await (const seal of reader.listBackwards()) {
    checkpointsRevision = Math.max(checkpointsRevision, seal.revision);
    if (seal.kind === 'checkpoint') return { checkpoint: seal, checkpointsRevision };
  }
  return { checkpoint: undefined, checkpointsRevision };
}

/** The leaves behind the last full tile, by their hashes: tiles may have been written since the checkpoint. */
async function readLeaves(reader: SealReader, tiles: number, found: FoundCheckpoint | undefined) {
  const [lastTile] = tiles === 0 ? [] : await reader.readTiles(0, tiles - 1, 1);
  if (found === undefined) return { tail: Buffer.alloc(0), last: lastTile?.last };
  const { size, tail, last } = found.checkpoint;
  const fullTiles = Math.floor(size / TILE_WIDTH);
  if (fullTiles > tiles)
    throw contradiction(`a checkpoint has ${size} leaves, and tiles are missing`);
  if (fullTiles === tiles) return { tail, last };
  const [following] = await reader.readTiles(0, fullTiles, 1);
  if (following?.hashes.subarray(0, tail.length).equals(tail) !== true) {
    throw contradiction(`tile ${fullTiles} has other leaves than the checkpoint of size ${size}`);
  }
  return { tail: Buffer.alloc(0), last: lastTile?.last };
}

/** The partial tiles of the levels above the leaves, from level 1 on, and full ones that are missing are written. */
async function readUpperLevels(store: LedgerStore, reader: SealReader, first: number) {
  const tiles = [first];
  const rows: Buffer[] = [];
  for (let level = 1; (tiles[level - 1] ?? 0) > 0; level += 1) {
    const below = tiles[level - 1] ?? 0;
    let count = await reader.countTiles(level);
    for (; (count + 1) * TILE_WIDTH <= below; count += 1) {
      const tile = { hashes: await readRoots(reader, level, count, TILE_WIDTH), last: undefined };
      const expected = count === 0 ? 'no_stream' : count - 1;
      await store.append(tileStream(level), expected, [toTileEvent(level, count, tile)]);
    }
    tiles.push(count);
    rows.push(await readRoots(reader, level, count, below - count * TILE_WIDTH));
  }
  return { tiles, rows };
}

async function readRoots(reader: SealReader, level: number, index: number, count: number) {
  const below = await reader.readTiles(level - 1, index * TILE_WIDTH, count);
  if (below.length < count) throw contradiction(`tiles of level ${level - 1} are missing`);
  return Buffer.concat(below.map(({ hashes }) => rootOfTile(hashes)));
}

export async function* listTiles(
  reader: SealReader,
  from: number,
  to: number,
): AsyncGenerator<Buffer> {
  for (let at = from; at < to; at += TILE_WIDTH) {
    const read = await reader.readTiles(0, at, Math.min(TILE_WIDTH, to - at));
    for (const { hashes } of read) yield hashes;
  }
}

export function addHashes(known: Set<string>, hashes: Buffer): void {
  assertDefect(hashes.length % HASH_BYTES === 0, 'a tile has whole hashes');
  for (const hash of splitHashes(hashes)) known.add(hashKey(hash));
}

function contradiction(what: string): Fault {
  const message = `The seals of this ledger contradict each other: ${what}. Nothing was sealed.`;
  return new Fault('undecodable', message, { retryable: false });
}
