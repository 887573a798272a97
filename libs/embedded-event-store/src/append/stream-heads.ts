import { LRUCache } from 'lru-cache';
import { CACHED_STREAM_HEADS } from '../limits.js';
import { recordHasId, TOMBSTONE_REVISION } from '../storage/record.js';
import type { LogStore } from '../storage/log-store.js';
import {
  describedStream,
  isMetastream,
  metastreamName,
  parseStreamMetadata,
  type StreamMetadata,
} from '../stream/stream-metadata.js';
import type { StoredAt } from './expected-revision.js';

/** An event that is numbered, but not yet on disk. */
export interface UnwrittenEvent extends StoredAt {
  readonly id: Buffer;
}

/** Where a stream ends, counting events that are on their way to the disk. */
export interface StreamHead {
  readonly name: string;
  /** 0 while the stream has no event. */
  number: number;
  lastRevision: number;
  lastPosition: number;
  /** Of a metastream: its last event, parsed and as it was written. */
  metadata?: { readonly parsed: StreamMetadata; readonly json: Buffer };
  readonly unwritten: UnwrittenEvent[];
  /** Of a metastream: the stream that it is about. */
  readonly describes: StreamHead | undefined;
  /** Of the metastream, once it was asked for: most streams have none, and each append asks. */
  metastream: StreamHead | undefined;
}

/**
 * The heads of the streams that appends are about. A head with unwritten events is kept; any other
 * can be found again on disk, so that memory does not grow with the number of streams. The head of a
 * metastream stays with that of its stream.
 */
export class StreamHeads {
  readonly #pinned = new Map<string, StreamHead>();
  readonly #cached = new LRUCache<string, StreamHead>({ max: CACHED_STREAM_HEADS });

  constructor(private readonly store: LogStore) {}

  get(name: string): StreamHead {
    let root = name;
    // A metastream has one, too, and so on.
    let depth = 0;
    for (; isMetastream(root); depth += 1) root = describedStream(root);
    let head = this.#getRoot(root);
    for (; depth > 0; depth -= 1) head = this.metastream(head);
    return head;
  }

  #getRoot(name: string): StreamHead {
    const known = this.#pinned.get(name) ?? this.#cached.get(name);
    if (known) return known;
    const head = this.#load(name);
    this.#cached.set(name, head);
    return head;
  }

  metastream(head: StreamHead): StreamHead {
    return (head.metastream ??= this.#load(metastreamName(head.name), head));
  }

  /** The head moves: the event is decided and will be written. */
  advance(head: StreamHead, event: UnwrittenEvent, data: Uint8Array): void {
    head.lastRevision = event.revision;
    head.lastPosition = event.position;
    head.unwritten.push(event);
    if (isMetastream(head.name)) head.metadata = readMetadata(data);
    let kept = head;
    while (kept.describes) kept = kept.describes;
    this.#pinned.set(kept.name, kept);
  }

  /** Everything up to `position` is on disk. */
  release(position: number): void {
    for (const [name, head] of this.#pinned) {
      if (!isWritten(head, position)) continue;
      this.#pinned.delete(name);
      this.#cached.set(name, head);
    }
  }

  /** The event of a stream at `revision` if it has this id, written or not. */
  storedWithId(head: StreamHead, revision: number, id: Buffer): StoredAt | undefined {
    const unwritten = head.unwritten.find((event) => event.revision === revision);
    if (unwritten) return unwritten.id.equals(id) ? unwritten : undefined;
    const entry = head.number === 0 ? undefined : this.store.entry(head.number, revision);
    return entry && recordHasId(this.store.event(head.name, entry), id) ? entry : undefined;
  }

  #load(name: string, describes?: StreamHead): StreamHead {
    const number = this.store.streamNumber(name) ?? 0;
    const last = number === 0 ? undefined : this.store.lastEntry(number);
    const head: StreamHead = {
      name,
      number,
      lastRevision: last?.revision ?? -1,
      lastPosition: last?.position ?? 0,
      unwritten: [],
      describes,
      metastream: undefined,
    };
    if (!last || !isMetastream(name) || last.revision === TOMBSTONE_REVISION) return head;
    return { ...head, metadata: readMetadata(this.store.eventData(name, last)) };
  }
}

/** Forgets events that are on disk by now. @returns whether that is all, of the metastream as well. */
function isWritten(head: StreamHead, position: number): boolean {
  let left = 0;
  for (let next: StreamHead | undefined = head; next; next = next.metastream) {
    const { unwritten } = next;
    while (unwritten[0] !== undefined && unwritten[0].position <= position) unwritten.shift();
    left += unwritten.length;
  }
  return left === 0;
}

function readMetadata(data: Uint8Array): NonNullable<StreamHead['metadata']> {
  // The data of a proposed event are a view of its request.
  const json = Buffer.from(data);
  return { parsed: parseStreamMetadata(json), json };
}
