import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventLog } from '../event-log.js';
import { READ_CHUNK_EVENTS } from '../limits.js';
import { isScavenged, TOMBSTONE_REVISION, type LoggedRecord } from '../storage/record.js';
import type { ReadRequest } from '../protobuf/read-request.js';
import {
  encodeFirstStreamPosition,
  encodeLastStreamPosition,
  encodeReadEvent,
  encodeStreamNotFound,
  type ReadRecord,
} from '../protobuf/read-response.js';
import { filterEvents } from './event-filter.js';
import { LinkResolver, type ResolvedRecord } from './links.js';
import { StreamCatalog, type StreamExtent } from './stream-catalog.js';
import { StreamCursor } from './stream-cursor.js';

/** Events that EventStoreDB looks at in one step of a read. */
const EVENTSTOREDB_PAGE = 32;

/** The client's end of a call. */
export interface Sink {
  /** True when the client can take more; else wait for it: it answers false when the call is over. */
  send(message: Buffer): true | Promise<boolean>;
  /** The call was cancelled, its connection is gone, or it was ended. */
  readonly isOver: boolean;
}

/** How events are answered with. */
type AnswerForm = Pick<ReadRequest, 'resolveLinks' | 'uuidForm'>;

/** How a read ended; a client that is gone counts as done. */
export type ReadEnd = 'done' | 'stream-deleted';

/** The reads that end: a stream or $all, a number of events at most. */
export class Reader {
  readonly catalog: StreamCatalog;
  readonly #links: LinkResolver;

  constructor(readonly log: EventLog) {
    this.catalog = new StreamCatalog(log.store);
    this.#links = new LinkResolver(log.store, this.catalog);
  }

  async read(request: ReadRequest, count: number, sink: Sink): Promise<ReadEnd> {
    if (request.streamName !== undefined) {
      return this.#readStream(request.streamName, request, count, sink);
    }
    await this.#readAll(request, count, sink);
    return 'done';
  }

  /** The answer for the event at a position; none for a scavenged one. */
  encodeAt(position: number, request: AnswerForm): Buffer | undefined {
    const record = this.log.store.record(position);
    return isScavenged(record) ? undefined : this.encode({ position, record }, request);
  }

  /** The answer for one record, with links resolved if that was asked for. */
  encode(logged: LoggedRecord, request: AnswerForm): Buffer {
    const { event, link }: ResolvedRecord = request.resolveLinks
      ? this.#links.resolve(logged, Date.now())
      : { event: logged };
    const answer = { event: this.#withContent(event), link: this.#withContent(link) };
    return encodeReadEvent(answer, request.uuidForm);
  }

  #withContent(logged: LoggedRecord | undefined): ReadRecord | undefined {
    if (!logged) return undefined;
    const { position, record } = logged;
    return { position, record, content: this.log.store.content(logged) };
  }

  async #readStream(
    streamName: string,
    request: ReadRequest,
    count: number,
    sink: Sink,
  ): Promise<ReadEnd> {
    const extent = this.catalog.extent(streamName, Date.now());
    if (extent.state === 'tombstoned') return 'stream-deleted';
    if (extent.state !== 'readable') {
      await sink.send(encodeStreamNotFound(streamName));
      return 'done';
    }
    const from = firstRevision(request.from, extent.lastRevision, request.backwards);
    const first = request.backwards ? undefined : emptyPageEnd(from, count, extent);
    if (request.tellsPositions && first !== undefined) {
      await sink.send(encodeFirstStreamPosition(first));
    }
    const cursor = new StreamCursor(this.log.store, streamName, from);
    await this.#sendRecords(cursor, request, extent, count, sink);
    if (request.tellsPositions) await sink.send(encodeLastStreamPosition(extent.lastRevision));
    return 'done';
  }

  async #sendRecords(
    cursor: StreamCursor,
    request: ReadRequest,
    extent: StreamExtent,
    count: number,
    sink: Sink,
  ): Promise<void> {
    for (let left = count; left > 0;) {
      const { records, isEnd } = request.backwards
        ? cursor.backward(extent, left)
        : cursor.forward(extent, left);
      if (isEnd || sink.isOver) return;
      if (records.length === 0) await nextTurn();
      for (const logged of records) {
        if (!(await sink.send(this.encode(logged, request)))) return;
      }
      left -= records.length;
    }
  }

  /** Forwards from a position includes it, backwards excludes it (rules/protocol 5). */
  async #readAll(request: ReadRequest, count: number, sink: Sink): Promise<void> {
    const { store } = this.log;
    const filter = filterEvents(request.filter, this.log.names);
    const { backwards } = request;
    let at = firstRevision(request.from, store.lastPosition() + 1, backwards);
    for (let left = count; left > 0;) {
      const limit = request.filter ? READ_CHUNK_EVENTS : Math.min(left, READ_CHUNK_EVENTS);
      const first = Math.max(backwards ? at - limit : at, 1);
      const last = Math.min(backwards ? at - 1 : first + limit - 1, store.lastPosition());
      if (last < first) return;
      at = backwards ? first : last + 1;
      const wanted = filter(first, last).flatMap((isWanted, n) => (isWanted ? [first + n] : []));
      // A filter that matches little must not block the event loop for other calls.
      await nextTurn();
      if (sink.isOver) return;
      for (const position of backwards ? wanted.reverse() : wanted) {
        const message = this.encodeAt(position, request);
        if (!message) continue;
        if (!(await sink.send(message))) return;
        left -= 1;
        if (left === 0) return;
      }
    }
  }
}

/**
 * Where a forward read should begin when its first page has no event; undefined if it has one, or if the read begins
 * there. EventStoreDB says it when the page ends before the untruncated part, and when the read begins beyond the end.
 */
function emptyPageEnd(from: number, count: number, extent: StreamExtent): number | undefined {
  const end = extent.lastRevision + 1;
  const pageEnd = from + Math.min(count, EVENTSTOREDB_PAGE);
  if (pageEnd <= extent.firstRevision) return extent.firstRevision;
  return Math.max(from, extent.firstRevision) >= end && from !== end ? end : undefined;
}

/** Where a read begins, given where the stream or $all ends. */
function firstRevision(from: ReadRequest['from'], end: number, backwards: boolean): number {
  if (from === 'start') return 0;
  if (from === 'end') return backwards ? end : TOMBSTONE_REVISION;
  return backwards ? Math.min(from, end) : from;
}
