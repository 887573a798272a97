import { open, type Database, type RootDatabase, type RootDatabaseOptions } from 'lmdb';
import { READ_CHUNK_BYTES } from '../limits.js';
import {
  decodePosition,
  decodeStreamNumber,
  encodePosition,
  encodeStreamNumber,
  indexKeys,
  positionKeys,
  streamKey,
  type IndexKey,
} from './keys.js';
import { TOMBSTONE_REVISION, type LoggedRecord } from './record.js';

/** An event with everything that is decided about it: what a commit writes. */
export interface StagedEvent extends LoggedRecord {
  readonly stream: number;
  readonly revision: number;
}

/** What one lmdb transaction writes: whole appends, never a part of one. */
export interface Commit {
  readonly newStreams: { readonly name: string; readonly stream: number }[];
  readonly events: StagedEvent[];
}

/** Where an event of a stream lies. */
export interface IndexEntry {
  readonly revision: number;
  readonly position: number;
}

/**
 * Addresses, not memory. The map grows beyond it, but lmdb keeps the smaller ones beside each larger
 * one, and what was read through them stays resident twice.
 */
const MAPPED_BYTES = 64 * 2 ** 30;

const LARGEST_POSITION = 2 ** 48 - 1;
const LARGEST_STREAM = 2 ** 32 - 1;

/**
 * The log and its index in one lmdb file (decision 0010). Reads are synchronous and see the last
 * commit; a commit is one lmdb transaction. `overlappingSync` is off: lmdb then shows a transaction
 * to readers only after its pages and its root were synced, so that nothing which can be read can
 * be taken back by a crash.
 */
export class LogStore {
  readonly #root: RootDatabase<Buffer>;
  readonly #events: Database<Buffer, number>;
  readonly #streams: Database<Buffer, Buffer>;
  readonly #index: Database<Buffer, IndexKey>;

  constructor(file: string) {
    this.#root = open<Buffer>({
      path: file,
      noSubdir: true,
      maxDbs: 3,
      overlappingSync: false,
      mapSize: MAPPED_BYTES,
      encoding: 'binary',
    });
    this.#events = this.#table<number>('events', { keyEncoder: positionKeys });
    this.#streams = this.#table<Buffer>('streams', { keyEncoding: 'binary' });
    this.#index = this.#table<IndexKey>('index', { keyEncoder: indexKeys });
  }

  /** The position of the last event, 0 in an empty store: positions start at 1. */
  lastPosition(): number {
    const last = { start: LARGEST_POSITION, end: 0, reverse: true, limit: 1 };
    for (const position of this.#events.getKeys(last)) return position;
    return 0;
  }

  /** The largest stream number in use, 0 in an empty store: numbers start at 1. */
  lastStream(): number {
    const start: IndexKey = [LARGEST_STREAM, TOMBSTONE_REVISION];
    for (const [stream] of this.#index.getKeys({ start, end: [0, 0], reverse: true, limit: 1 })) {
      return stream;
    }
    return 0;
  }

  streamNumber(name: string): number | undefined {
    const value = this.#streams.getBinary(streamKey(name));
    return value === undefined ? undefined : decodeStreamNumber(value);
  }

  /** The last event of a stream. A tombstone has the largest revision and is therefore last. */
  lastEntry(stream: number): IndexEntry | undefined {
    return this.entriesBackward(stream, TOMBSTONE_REVISION, 1)[0];
  }

  entry(stream: number, revision: number): IndexEntry | undefined {
    const value = this.#index.getBinary([stream, revision]);
    return value === undefined ? undefined : { revision, position: decodePosition(value) };
  }

  /** Up to `limit` events of a stream from `from` (inclusive) upwards. */
  entriesForward(stream: number, from: number, limit: number): IndexEntry[] {
    if (from > TOMBSTONE_REVISION) return [];
    const end: IndexKey = [stream, TOMBSTONE_REVISION];
    return this.#entries({ start: [stream, from], end, inclusiveEnd: true, limit });
  }

  /** Up to `limit` events of a stream from `from` (inclusive) downwards. */
  entriesBackward(stream: number, from: number, limit: number): IndexEntry[] {
    const start: IndexKey = [stream, Math.min(from, TOMBSTONE_REVISION)];
    return this.#entries({ start, end: [stream, 0], inclusiveEnd: true, limit, reverse: true });
  }

  record(position: number): Buffer | undefined {
    return this.#events.getBinary(position);
  }

  /** A chunk of the log from `from` (inclusive) upwards, bounded in events and in bytes. */
  logForward(from: number, limit: number): LoggedRecord[] {
    if (from > LARGEST_POSITION) return [];
    return this.#log({ start: from, end: LARGEST_POSITION, inclusiveEnd: true, limit });
  }

  /** A chunk of the log from below `before` (exclusive) downwards. */
  logBackward(before: number, limit: number): LoggedRecord[] {
    if (before <= 1) return [];
    const start = Math.min(before - 1, LARGEST_POSITION);
    return this.#log({ start, end: 0, limit, reverse: true });
  }

  /** Writes one transaction; resolves when it is on disk. A rejection leaves nothing written. */
  async commit({ newStreams, events }: Commit): Promise<void> {
    let written: Promise<boolean> | undefined;
    for (const { name, stream } of newStreams) {
      written = this.#streams.put(streamKey(name), encodeStreamNumber(stream));
    }
    for (const { position, record, stream, revision } of events) {
      void this.#events.put(position, record);
      written = this.#index.put([stream, revision], encodePosition(position));
    }
    await written;
  }

  async close(): Promise<void> {
    await this.#root.close();
  }

  #entries(range: Parameters<Database<Buffer, IndexKey>['getRange']>[0]): IndexEntry[] {
    const entries: IndexEntry[] = [];
    for (const { key, value } of this.#index.getRange(range)) {
      entries.push({ revision: key[1], position: decodePosition(value) });
    }
    return entries;
  }

  #log(range: Parameters<Database<Buffer, number>['getRange']>[0]): LoggedRecord[] {
    const chunk: LoggedRecord[] = [];
    let bytes = 0;
    for (const { key, value } of this.#events.getRange(range)) {
      chunk.push({ position: key, record: value });
      bytes += value.length;
      if (bytes >= READ_CHUNK_BYTES) break;
    }
    return chunk;
  }

  #table<Key extends number | Buffer | IndexKey>(
    name: string,
    keys: Pick<RootDatabaseOptions, 'keyEncoder' | 'keyEncoding'>,
  ): Database<Buffer, Key> {
    const options = { name, encoding: 'binary' as const, cache: false, ...keys };
    return this.#root.openDB<Buffer, Key>(options);
  }
}
