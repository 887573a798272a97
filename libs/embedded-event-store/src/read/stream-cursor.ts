import { READ_CHUNK_EVENTS } from '../limits.js';
import type { IndexEntry, LogStore } from '../storage/log-store.js';
import { recordCreatedMs, type LoggedRecord } from '../storage/record.js';
import type { StreamExtent } from './stream-catalog.js';

/** A step of a read. It may be empty before the end: events can be too old to be read. */
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
    revision: number,
  ) {
    this.revision = revision;
  }

  /** The next chunk of what `extent` leaves of the stream, at most `limit` events. */
  forward(extent: StreamExtent, limit: number): StreamChunk {
    this.revision = Math.max(this.revision, extent.firstRevision);
    const entries = this.store.entriesForward(extent.number, this.revision, chunkOf(limit));
    const last = entries.at(-1);
    if (!last) return END;
    this.revision = last.revision + 1;
    return { records: this.#records(entries, extent), isEnd: false };
  }

  backward(extent: StreamExtent, limit: number): StreamChunk {
    if (this.revision < extent.firstRevision) return END;
    const entries = this.store.entriesBackward(extent.number, this.revision, chunkOf(limit));
    const last = entries.at(-1);
    if (!last) return END;
    this.revision = last.revision - 1;
    const kept = entries.filter((entry) => entry.revision >= extent.firstRevision);
    return { records: this.#records(kept, extent), isEnd: false };
  }

  #records(entries: readonly IndexEntry[], extent: StreamExtent): LoggedRecord[] {
    const records: LoggedRecord[] = [];
    for (const { position } of entries) {
      const record = this.store.record(position);
      if (record && recordCreatedMs(record) >= extent.createdFromMs) {
        records.push({ position, record });
      }
    }
    return records;
  }
}

function chunkOf(limit: number): number {
  return Math.min(limit, READ_CHUNK_EVENTS);
}
