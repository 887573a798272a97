import { chmodSync, linkSync, renameSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import type { Database } from 'lmdb';
import type { StoreDamaged } from '../failures.js';
import { READ_CHUNK_BYTES } from '../limits.js';
import { UnreadableContent } from './content.js';
import { damaged } from './data-directory.js';
import {
  decodePosition,
  decodeStreamNumber,
  encodePosition,
  encodeStreamNumber,
  streamKey,
  type IndexKey,
} from './keys.js';
import { errorMessage, isDamage, nameHint } from './damage.js';
import { syncDirectory } from './durable-file.js';
import {
  countRecordBytes,
  isRecordWhole,
  readContent,
  recordRevision,
  recordStreamName,
  TOMBSTONE_REVISION,
  type EventContent,
  type LoggedRecord,
} from './record.js';
import { openTables, type TableOptions, type Tables } from './tables.js';

/** An event with everything that is decided about it, as a commit writes it. */
export interface StagedEvent extends LoggedRecord {
  readonly stream: number;
  readonly revision: number;
}

/** The events of one lmdb transaction: whole appends, never a part of one. */
export interface Commit {
  readonly newStreams: { readonly name: string; readonly stream: number }[];
  readonly events: StagedEvent[];
}

/** The place of a stream's event. */
export interface StreamIndexEntry {
  readonly revision: number;
  readonly position: number;
}

/**
 * Positions only grow. Told so, lmdb fills a page before it begins the next one; otherwise it leaves room
 * for an event in each, a fifth of the file. Its types know the option for another call alone.
 */
const APPEND = { append: true } as unknown as number;

/**
 * The log and its index in one lmdb file (decision 0010). Reads are synchronous and see the last
 * commit; a commit is one lmdb transaction. `overlappingSync` is off: lmdb then shows a transaction
 * to readers only after its pages and its root were synced, so that nothing which can be read can
 * be taken back by a crash.
 */
export class LogStore {
  #tables: Tables;
  #lastPosition: number;

  /** Throws `StoreDamaged`, as all reads do; after the start, `onDamaged` hears of it first. */
  constructor(
    private readonly file: string,
    private readonly onDamaged: (damage: StoreDamaged) => void = () => undefined,
    options: TableOptions = {},
  ) {
    this.#tables = this.#guard('it can not be opened', () => openTables(file, options));
    this.#lastPosition = this.counts().events;
  }

  /** The position of the last event, 0 in an empty store: positions start at 1 and have no gap. */
  lastPosition(): number {
    return this.#lastPosition;
  }

  /**
   * For the start: the last event is whole, and its position is the number of events: the next append would
   * else take one that is in use. It is looked up first: over a damaged page, a cursor ends the process.
   */
  requireEnd(): void {
    const count = this.#lastPosition;
    if (count > 0) this.record(count);
    const last = this.#guard('its last event', () => this.#readLastKey());
    if (last !== count) throw this.damagedAt(last, `it is the last one, of ${count} events`);
  }

  /** The largest stream number in use, 0 in an empty store: numbers start at 1 and have no gap. */
  lastStream(): number {
    return this.counts().streams;
  }

  /** How many entries each table says that it has. */
  counts(): Readonly<Record<'events' | 'index' | 'streams', number>> {
    const count = (table: { getStats(): object }): number =>
      // lmdb's types leave out the fields of its statistics.
      (table.getStats() as { entryCount: number }).entryCount;
    return this.#guard('its tables can not be counted', () => ({
      events: count(this.#tables.events),
      index: count(this.#tables.index),
      streams: count(this.#tables.streams),
    }));
  }

  streamNumber(name: string): number | undefined {
    const value = this.#get(this.#tables.streams, streamKey(name), `the stream ${name}`);
    return value === undefined ? undefined : decodeStreamNumber(value);
  }

  /** The last event of a stream, of those up to a revision. A tombstone has the largest one: it is last. */
  lastEntry(stream: number, upTo = TOMBSTONE_REVISION): StreamIndexEntry | undefined {
    const start: IndexKey = [stream, upTo];
    const range = { start, end: [stream, 0] as IndexKey, inclusiveEnd: true, limit: 1 };
    return this.#guard('its index', () => {
      for (const { key, value } of this.#tables.index.getRange({ ...range, reverse: true })) {
        return { revision: key[1], position: decodePosition(value) };
      }
      return undefined;
    });
  }

  /** Events of a stream from one revision to another, both of which it must have. */
  entries(stream: number, from: number, to: number): StreamIndexEntry[] {
    const step = from <= to ? 1 : -1;
    return Array.from({ length: Math.abs(to - from) + 1 }, (_, n) => {
      const entry = this.entry(stream, from + n * step);
      if (entry) return entry;
      throw this.#damaged(`its index lacks event ${from + n * step} of stream number ${stream}`);
    });
  }

  entry(stream: number, revision: number): StreamIndexEntry | undefined {
    const value = this.#get(this.#tables.index, [stream, revision], 'its index');
    return value === undefined ? undefined : { revision, position: decodePosition(value) };
  }

  /** The event that an entry of the index is about. */
  event(streamName: string, { position, revision }: StreamIndexEntry): Buffer {
    const record = this.record(position);
    if (recordRevision(record) === revision && recordStreamName(record) === streamName) {
      return record;
    }
    throw this.damagedAt(position, `it is not event ${revision} of the stream ${streamName}`);
  }

  /** The event at a position, which must be one that was committed. */
  record(position: number): Buffer {
    const record = this.#getFresh(position);
    if (record === undefined) throw this.damagedAt(position, 'the event is missing');
    if (isRecordWhole(record, position)) return record;
    throw this.damagedAt(position, `its checksum is wrong${nameHint(record)}`);
  }

  /** An event's content. The record is one that this store gave, whose checksum was looked at. */
  content({ position, record }: LoggedRecord): EventContent {
    try {
      return readContent(record);
    } catch (error) {
      throw error instanceof UnreadableContent ? this.damagedAt(position, error.message) : error;
    }
  }

  data(logged: LoggedRecord): Buffer {
    const { bytes, metadataLength } = this.content(logged);
    return bytes.subarray(metadataLength);
  }

  /** The data of the event that an entry of the index is about. */
  eventData(streamName: string, entry: StreamIndexEntry): Buffer {
    return this.data({ position: entry.position, record: this.event(streamName, entry) });
  }

  /** A chunk of the log from `from` (inclusive) upwards, bounded in events and bytes, looked up one by one. */
  logForward(from: number, limit: number): LoggedRecord[] {
    const first = Math.max(from, 1);
    const last = Math.min(first + limit - 1, this.#lastPosition);
    const chunk: LoggedRecord[] = [];
    let bytes = 0;
    for (let position = first; position <= last && bytes < READ_CHUNK_BYTES; position += 1) {
      const record = this.record(position);
      chunk.push({ position, record });
      bytes += countRecordBytes(record);
    }
    return chunk;
  }

  /** Reads can go on after damage was met: lmdb refuses them else. */
  resetReads(): void {
    this.#tables.root.resetReadTxn();
  }

  damagedAt(position: number, what: string): StoreDamaged {
    return this.#damaged(`position ${position} of ${path.basename(this.file)}: ${what}`);
  }

  /** Writes one transaction; resolves when it is on disk. A rejection leaves nothing written. */
  async commit({ newStreams, events }: Commit): Promise<void> {
    let [written, appended]: (Promise<boolean> | undefined)[] = [];
    for (const { name, stream } of newStreams) {
      written = this.#tables.streams.put(streamKey(name), encodeStreamNumber(stream));
    }
    for (const { position, record, stream, revision } of events) {
      appended = this.#tables.events.put(position, record, APPEND);
      written = this.#tables.index.put([stream, revision], encodePosition(position));
    }
    try {
      await written;
      if ((await appended) === false) throw new Error('a position is not behind the last one');
    } catch (error) {
      const cause = (error as { commitError?: unknown }).commitError ?? error;
      throw isDamage(cause) ? this.#damaged(`a commit: ${errorMessage(cause)}`) : error;
    }
    this.#lastPosition = events.at(-1)?.position ?? this.#lastPosition;
  }

  /** Pages that a backup was reading when it was killed are used again. @returns of how many. */
  forgetDeadReaders(): number {
    return this.#tables.root.readerCheck();
  }

  /** Writes all that is committed by now into another file, whatever is committed meanwhile. */
  async copyTo(file: string): Promise<void> {
    await this.#tables.root.backup(file, false);
  }

  /**
   * Goes on with another file, which has the same positions and takes this one's place, at once and for good. Nothing
   * may be on its way to the disk. The file of before has another name then, and nothing reads it once the returned
   * function was called. A failure leaves nothing that could be gone on with.
   *
   * @param draft closed. @param before the other name, which is free. Both are in the directory of this file.
   */
  replaceBy(draft: string, before: string): () => Promise<void> {
    const old = this.#tables;
    chmodSync(draft, statSync(this.file).mode);
    // lmdb's own list of readers, which is of the file before.
    rmSync(`${this.file}-lock`, { force: true });
    linkSync(this.file, before);
    renameSync(draft, this.file);
    syncDirectory(path.dirname(this.file));
    this.#tables = openTables(this.file);
    if (this.counts().events !== this.#lastPosition) throw new Error('another file took its place');
    return async () => old.root.close();
  }

  async close(): Promise<void> {
    await this.#tables.root.close();
  }

  #readLastKey(): number {
    for (const key of this.#tables.events.getKeys({ reverse: true, limit: 1 })) return key;
    return 0;
  }

  /** The snapshot that lmdb reads from may be a turn older than the last commit. */
  #getFresh(position: number): Buffer | undefined {
    const what = `the event at position ${position}`;
    const record = this.#get(this.#tables.events, position, what);
    if (record !== undefined) return record;
    this.resetReads();
    return this.#get(this.#tables.events, position, what);
  }

  #get<Key extends number | Buffer | IndexKey>(
    table: Database<Buffer, Key>,
    key: Key,
    what: string,
  ): Buffer | undefined {
    return this.#guard(what, () => table.getBinary(key));
  }

  #guard<Result>(what: string, act: () => Result): Result {
    try {
      return act();
    } catch (error) {
      throw isDamage(error) ? this.#damaged(`${what}: ${errorMessage(error)}`) : error;
    }
  }

  #damaged(what: string): StoreDamaged {
    const damage = damaged(path.dirname(this.file), what);
    this.onDamaged(damage);
    return damage;
  }
}
