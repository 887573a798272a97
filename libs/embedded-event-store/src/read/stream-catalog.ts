import { LRUCache } from 'lru-cache';
import { CACHED_STREAM_HEADS } from '../limits.js';
import type { LogStore } from '../storage/log-store.js';
import { TOMBSTONE_REVISION } from '../storage/record.js';
import {
  describedStream,
  isMetastream,
  METASTREAM_METADATA,
  metastreamName,
  NO_METADATA,
  parseStreamMetadata,
  type StreamMetadata,
} from '../stream/stream-metadata.js';

/** The part of a stream that readers may see (rules/protocol 5 and 7). */
export interface StreamExtent {
  readonly state: 'missing' | 'soft-deleted' | 'tombstoned' | 'readable';
  /** 0 if the stream never had an event. */
  readonly number: number;
  /** Revisions below it are truncated; beyond the last one if everything is. */
  readonly firstRevision: number;
  readonly lastRevision: number;
  /** Events created before this instant are too old to be read. */
  readonly createdFromMs: number;
}

const MISSING: StreamExtent = {
  state: 'missing',
  number: 0,
  firstRevision: 0,
  lastRevision: -1,
  createdFromMs: 0,
};

/** Looks up on disk the part of a stream that its metadata leave. Parsed metadata is cached by position. */
export class StreamCatalog {
  readonly #metadata = new LRUCache<string, { position: number; metadata: StreamMetadata }>({
    max: CACHED_STREAM_HEADS,
  });

  constructor(private readonly store: LogStore) {}

  extent(name: string, nowMs: number): StreamExtent {
    const number = this.store.streamNumber(name);
    if (isMetastream(name) && this.#isTombstoned(describedStream(name))) {
      return { ...MISSING, state: 'tombstoned', number: number ?? 0 };
    }
    const last = number === undefined ? undefined : this.store.lastEntry(number);
    if (number === undefined || !last) return MISSING;
    if (last.revision === TOMBSTONE_REVISION) {
      const lastRevision = this.store.lastEntry(number, TOMBSTONE_REVISION - 1)?.revision ?? -1;
      return { ...MISSING, state: 'tombstoned', number, lastRevision };
    }
    const metadata = isMetastream(name) ? METASTREAM_METADATA : this.#readMetadata(name);
    const { maxCount = Infinity, maxAgeMs = Infinity, truncateBefore = 0, softDeleted } = metadata;
    const keptFrom = Math.max(truncateBefore, last.revision - maxCount + 1, 0);
    return {
      state: softDeleted ? 'soft-deleted' : 'readable',
      number,
      firstRevision: Math.min(keptFrom, last.revision + 1),
      lastRevision: last.revision,
      createdFromMs: Math.max(0, nowMs - maxAgeMs),
    };
  }

  /** The metadata of a stream ends with it. */
  #isTombstoned(name: string): boolean {
    const number = this.store.streamNumber(name);
    const last = number === undefined ? undefined : this.store.lastEntry(number);
    if (last?.revision === TOMBSTONE_REVISION) return true;
    return isMetastream(name) && this.#isTombstoned(describedStream(name));
  }

  #readMetadata(name: string): StreamMetadata {
    const number = this.store.streamNumber(metastreamName(name));
    const last = number === undefined ? undefined : this.store.lastEntry(number);
    if (!last) return NO_METADATA;
    const cached = this.#metadata.get(name);
    if (cached?.position === last.position) return cached.metadata;
    const metadata = parseStreamMetadata(this.store.eventData(metastreamName(name), last));
    this.#metadata.set(name, { position: last.position, metadata });
    return metadata;
  }
}
