import { READ_CHUNK_EVENTS } from '../limits.js';
import type { StreamIndexEntry, LogStore } from '../storage/log-store.js';
import {
  isScavenged,
  type LoggedRecord,
  recordCreatedMs,
  TOMBSTONE_REVISION,
} from '../storage/record.js';
import type { StreamExtent } from './stream-catalog.js';

/** A step of a read. It may be empty before the end: events can be scavenged, or too old to be read. */
export interface StreamChunk {
  readonly records: readonly LoggedRecord[];
  readonly isEnd: boolean;
}

const END: StreamChunk = { records: [], isEnd: true };

/** A place in a stream from which chunks are read, forwards or backwards. */
export class StreamCursor {
  /** The next revision to read; below 0 when a backward read is through. */
  revision: number;

  constructor(
    private readonly store: LogStore,
    private readonly streamName: string,
    revision: number,
  ) {
    this.revision = revision;
  }

  /** The next chunk of the stream's visible part `extent`, at most `limit` events. */
  forward(extent: StreamExtent, limit: number): StreamChunk {
    const from = Math.max(this.revision, extent.firstRevision);
    if (from > extent.lastRevision) return this.#tombstone(extent);
    const to = Math.min(from + chunkSize(limit) - 1, extent.lastRevision);
    this.revision = to + 1;
    return this.#chunk(this.store.entries(extent.number, from, to), extent);
  }

  backward(extent: StreamExtent, limit: number): StreamChunk {
    const from = Math.min(this.revision, extent.lastRevision);
    if (from < extent.firstRevision) return END;
    const to = Math.max(from - chunkSize(limit) + 1, extent.firstRevision);
    this.revision = to - 1;
    return this.#chunk(this.store.entries(extent.number, from, to), extent);
  }

  /** The last chunk of a stream that was ended while it was followed. */
  #tombstone(extent: StreamExtent): StreamChunk {
    if (extent.state !== 'tombstoned' || this.revision > TOMBSTONE_REVISION) return END;
    const entry = this.store.entry(extent.number, TOMBSTONE_REVISION);
    if (!entry) return END;
    this.revision = TOMBSTONE_REVISION + 1;
    return this.#chunk([entry], extent);
  }

  #chunk(entries: readonly StreamIndexEntry[], extent: StreamExtent): StreamChunk {
    const records: LoggedRecord[] = [];
    for (const entry of entries) {
      const record = this.store.event(this.streamName, entry);
      if (recordCreatedMs(record) >= extent.createdFromMs && !isScavenged(record)) {
        records.push({ position: entry.position, record });
      }
    }
    return { records, isEnd: false };
  }
}

function chunkSize(limit: number): number {
  return Math.min(limit, READ_CHUNK_EVENTS);
}
