import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EventLog } from '../event-log.js';
import { READ_CHUNK_EVENTS } from '../limits.js';
import { TOMBSTONE_REVISION, type LoggedRecord } from '../storage/record.js';
import type { ReadRequest } from '../wire/read-request.js';
import {
  encodeReadEvent,
  encodeStreamNotFound,
  type ReadEvent,
  type UuidForm,
} from '../wire/read-response.js';
import { compileFilter } from './event-filter.js';
import { LinkResolver } from './links.js';
import { StreamCatalog } from './stream-catalog.js';
import { StreamCursor } from './stream-cursor.js';

/** The client's end of a call. */
export interface Sink {
  /** Waits until the client can take more; answers false when the call is over. */
  send(message: Buffer): Promise<boolean>;
  /** The call was cancelled, its connection is gone, or it was ended. */
  readonly isOver: boolean;
}

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

  /** The answer for one record, with links resolved if that was asked for. */
  encode(logged: LoggedRecord, request: { resolveLinks: boolean; uuidForm: UuidForm }): Buffer {
    const event: ReadEvent = request.resolveLinks
      ? this.#links.resolve(logged, Date.now())
      : { event: logged };
    return encodeReadEvent(event, request.uuidForm);
  }

  async #readStream(
    streamName: string,
    request: ReadRequest,
    count: number,
    sink: Sink,
  ): Promise<ReadEnd> {
    const extent = this.catalog.extentOf(streamName, Date.now());
    if (extent.state === 'tombstoned') return 'stream-deleted';
    if (extent.state !== 'readable') {
      await sink.send(encodeStreamNotFound(streamName));
      return 'done';
    }
    const { backwards, from } = request;
    const cursor = new StreamCursor(this.log.store, startOf(from, extent.lastRevision, backwards));
    for (let left = count; left > 0;) {
      const { records, isEnd } = backwards
        ? cursor.backward(extent, left)
        : cursor.forward(extent, left);
      if (isEnd || sink.isOver) return 'done';
      if (records.length === 0) await nextTurn();
      for (const logged of records) {
        if (!(await sink.send(this.encode(logged, request)))) return 'done';
      }
      left -= records.length;
    }
    return 'done';
  }

  /** Forwards from a position includes it, backwards excludes it (protocol 1.5). */
  async #readAll(request: ReadRequest, count: number, sink: Sink): Promise<void> {
    const { store } = this.log;
    const filter = compileFilter(request.filter);
    const { backwards } = request;
    let at = startOf(request.from, store.lastPosition() + 1, backwards);
    for (let left = count; left > 0;) {
      const limit = request.filter ? READ_CHUNK_EVENTS : Math.min(left, READ_CHUNK_EVENTS);
      const chunk = backwards ? store.logBackward(at, limit) : store.logForward(at, limit);
      const last = chunk.at(-1);
      if (!last) return;
      at = backwards ? last.position : last.position + 1;
      const wanted = filter(chunk);
      // A filter that wants little must not keep the event loop from everybody else.
      await nextTurn();
      if (sink.isOver) return;
      for (const [index, logged] of chunk.entries()) {
        if (!wanted[index]) continue;
        if (!(await sink.send(this.encode(logged, request)))) return;
        left -= 1;
        if (left === 0) return;
      }
    }
  }
}

/** Where a read begins, given where the stream or $all ends. */
function startOf(from: ReadRequest['from'], end: number, backwards: boolean): number {
  if (from === 'start') return 0;
  if (from === 'end') return backwards ? end : TOMBSTONE_REVISION;
  return backwards ? Math.min(from, end) : from;
}
