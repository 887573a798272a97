import { LRUCache } from 'lru-cache';
import { StreamCatalog, type StreamExtent } from '../read/stream-catalog.js';
import type { LogStore } from '../storage/log-store.js';
import { recordCreatedMs, recordRevision, TOMBSTONE_REVISION } from '../storage/record.js';

/** Most streams lie close together in the log; those of all would be too many to remember. */
const REMEMBERED_EXTENTS = 50_000;

/**
 * The events of the log that no read of a stream answers with any more: those that its metadata cut, and those before a
 * tombstone. The last event of a stream stays, as in EventStoreDB (rules/protocol 8).
 */
export class Cuts {
  readonly #catalog: StreamCatalog;
  readonly #extents = new LRUCache<string, StreamExtent>({ max: REMEMBERED_EXTENTS });

  /** @param nowMs events that are too old at this instant are cut. */
  constructor(
    store: LogStore,
    private readonly nowMs: number,
  ) {
    this.#catalog = new StreamCatalog(store);
  }

  /** The part that its metadata leave of a stream, as they were when it was first asked for. */
  extent(streamName: string): StreamExtent {
    const known = this.#extents.get(streamName);
    if (known) return known;
    const extent = this.#catalog.extent(streamName, this.nowMs);
    this.#extents.set(streamName, extent);
    return extent;
  }

  isCut(streamName: string, record: Buffer): boolean {
    const { state, firstRevision, lastRevision, createdFromMs } = this.extent(streamName);
    const revision = recordRevision(record);
    if (state === 'tombstoned') return revision !== TOMBSTONE_REVISION;
    if (revision >= lastRevision) return false;
    return revision < firstRevision || recordCreatedMs(record) < createdFromMs;
  }
}
