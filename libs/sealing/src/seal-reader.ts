import type { LedgerStore, VerbatimEvent } from '#event-store';
import { Fault } from '#platform';
import { HASH_BYTES, type ReadHash, readHashesFrom, type Tile, TILE_WIDTH } from '#seal';
import {
  CHECKPOINTS_STREAM,
  readSealEvent,
  readTileEvent,
  type StoredCheckpoint,
  type StoredSeal,
  type StoredTile,
  tileStream,
} from './stored-seals.js';

/** Seals that are read at a time, from the last one on: a cosignature is a kilobyte, a checkpoint ten. */
const SEALS_READ = 64;
const FIRST_READ = 2;

/** The store as seals are read from it. */
export type SealStore = Pick<LedgerStore, 'names' | 'verbatim'>;

/** A checkpoint in its store. */
export type FoundCheckpoint = Extract<StoredSeal, { kind: 'checkpoint' }>;

/** Reads tiles, checkpoints and cosignatures of a ledger. Calls throw Fault of the store, and `undecodable`. */
export class SealReader {
  constructor(private readonly store: SealStore) {}

  /** The last checkpoint; undefined while there is none. */
  async findLast(): Promise<FoundCheckpoint | undefined> {
    for await (const seal of this.listBackwards()) if (seal.kind === 'checkpoint') return seal;
    return undefined;
  }

  /** The last checkpoint of a size: one that was signed by two keys has the size of the one before. */
  async find(size: number): Promise<FoundCheckpoint | undefined> {
    for await (const seal of this.listBackwards()) {
      if (seal.kind !== 'checkpoint') continue;
      if (seal.checkpoint.size === size) return seal;
      if (seal.checkpoint.size < size) return undefined;
    }
    return undefined;
  }

  /** Checkpoints and cosignatures in the order in which they were stored. */
  async *list(fromRevision = 0): AsyncGenerator<StoredSeal> {
    for (let next = fromRevision; ; next += SEALS_READ) {
      const read = { fromRevision: next, maxCount: SEALS_READ };
      const events = await this.#read(CHECKPOINTS_STREAM, read);
      for (const event of events) yield readSealEvent(event);
      if (events.length < SEALS_READ) return;
    }
  }

  /** Checkpoints and cosignatures from the last one on. */
  async *listBackwards(): AsyncGenerator<StoredSeal> {
    // The first one is mostly the last checkpoint, or a signature on it.
    let maxCount = FIRST_READ;
    for (let from: number | undefined; ; maxCount = SEALS_READ) {
      const read = { backwards: true, maxCount };
      const page = { ...read, ...(from !== undefined && { fromRevision: from }) };
      const events = await this.#read(CHECKPOINTS_STREAM, page);
      for (const event of events) yield readSealEvent(event);
      const oldest = events.at(-1)?.revision ?? 0;
      if (oldest === 0) return;
      from = oldest - 1;
    }
  }

  /** The revision of the last checkpoint or cosignature; -1 where there is none. */
  async headRevision(): Promise<number> {
    const [last] = await this.#read(CHECKPOINTS_STREAM, { backwards: true, maxCount: 1 });
    return last?.revision ?? -1;
  }

  /** How many full tiles a level has. */
  async countTiles(level: number): Promise<number> {
    const [last] = await this.#read(tileStream(level), { backwards: true, maxCount: 1 });
    return last === undefined ? 0 : last.revision + 1;
  }

  /** Full tiles of a level, as many as there are of those that are asked for. */
  async readTiles(level: number, from: number, count: number): Promise<StoredTile[]> {
    if (count <= 0) return [];
    const read = { fromRevision: from, maxCount: count };
    return (await this.#read(tileStream(level), read)).map(readTileEvent);
  }

  /** Reads hashes of the tree that a checkpoint attests, each tile once: for proofs. */
  readHashes({ checkpoint }: FoundCheckpoint): ReadHash {
    return readHashesFrom(checkpoint.size, (tile) => this.readTile(tile, checkpoint));
  }

  /**
   * The concatenated hashes of a tile of a tree, also of a partial one of its right edge.
   *
   * @throws Fault `undecodable` where the stored tiles are fewer than the tree has.
   */
  async readTile(
    { level, index, width }: Tile,
    { size, tail, rows }: Pick<StoredCheckpoint, 'size' | 'rows' | 'tail'>,
  ): Promise<Buffer> {
    const isLast = index === Math.floor(size / TILE_WIDTH ** (level + 1));
    const partial = level === 0 ? tail : rows[level - 1];
    const bytes = isLast ? partial : (await this.readTiles(level, index, 1))[0]?.hashes;
    const length = width * HASH_BYTES;
    if (bytes !== undefined && bytes.length >= length) return bytes.subarray(0, length);
    const message = `the tile ${index} of level ${level} has not the ${width} hashes that its tree has`;
    throw new Fault('undecodable', message, { retryable: false });
  }

  #read(
    streamName: string,
    read: Parameters<SealStore['verbatim']['readStream']>[1],
  ): Promise<VerbatimEvent[]> {
    return this.store.verbatim.readStream(this.store.names.toStored(streamName), read);
  }
}
