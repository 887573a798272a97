import { setImmediate as nextTurn } from 'node:timers/promises';
import { READ_CHUNK_EVENTS } from '../limits.js';
import { recordRevision, TOMBSTONE_REVISION } from '../storage/record.js';
import type { ReadRequest } from '../protobuf/read-request.js';
import { encodeCaughtUp, encodeCheckpoint } from '../protobuf/read-response.js';
import { Checkpoints, GatheredCheckpoint } from './checkpoints.js';
import { type EventFilter, filterEvents } from './event-filter.js';
import type { Reader, ReadEnd, Sink } from './reader.js';
import type { StreamExtent } from './stream-catalog.js';
import { StreamCursor } from './stream-cursor.js';
import type { WakeUp } from '../append/commit-signal.js';

/**
 * Reads that do not end. A live subscription differs from one that catches up by the wait at the
 * end of the log alone: both always read from the log, so that they can't miss an event or see one
 * twice.
 */
export async function follow(
  reader: Reader,
  request: ReadRequest,
  wakeUp: WakeUp,
  sink: Sink,
): Promise<ReadEnd> {
  const { streamName } = request;
  const subscription =
    streamName === undefined
      ? new AllSubscription(reader, request)
      : new StreamSubscription(reader, request, streamName);
  let isLive = false;
  for (;;) {
    const step = await subscription.deliverChunk(sink, isLive);
    if (step === 'stream-deleted') return step;
    if (sink.isOver) return 'done';
    if (step === 'full') isLive = false;
    if (step !== 'end') {
      // A filter that matches little must not block the event loop for other calls.
      await nextTurn();
      continue;
    }
    if (!isLive && !(await subscription.goLive(sink))) return 'done';
    isLive = true;
    await wakeUp.sleep(subscription.owesInMs);
  }
}

/** The result of a step: a chunk as large as they get, a smaller one, or nothing. */
type Step = 'full' | 'some' | 'end' | 'stream-deleted';

function classifyStep(events: number): Step {
  if (events === 0) return 'end';
  return events === READ_CHUNK_EVENTS ? 'full' : 'some';
}

/** $all, all events after a position, truncated and deleted ones included. */
class AllSubscription {
  readonly #filter: EventFilter;
  readonly #checkpoints: Checkpoints | undefined;
  readonly #owed = new GatheredCheckpoint();
  #position: number;

  constructor(
    private readonly reader: Reader,
    private readonly request: ReadRequest,
  ) {
    const { from, filter } = request;
    const end = reader.log.store.lastPosition();
    this.#filter = filterEvents(filter, reader.log.names);
    this.#checkpoints = filter && new Checkpoints(filter.checkpointInterval);
    this.#position = from === 'start' ? 0 : from === 'end' ? end : from;
  }

  get owesInMs(): number | undefined {
    return this.#owed.dueInMs(performance.now());
  }

  async deliverChunk(sink: Sink, isLive: boolean): Promise<Step> {
    const first = this.#position + 1;
    const last = Math.min(this.reader.log.store.lastPosition(), this.#position + READ_CHUNK_EVENTS);
    const wanted = last < first ? [] : this.#filter(first, last);
    for (const [index, isWanted] of wanted.entries()) {
      const position = first + index;
      const message = isWanted ? this.reader.encodeAt(position, this.request) : undefined;
      if (message && !(await sink.send(message))) return 'end';
      this.#position = position;
      const due = this.#checkpoints?.consider(position);
      if (isLive && message) this.#owed.forget();
      else if (isLive) this.#owed.owe(due);
      else if (!(await sendCheckpoint(sink, due))) return 'end';
    }
    if (!(await sendCheckpoint(sink, this.#owed.take(performance.now())))) return 'end';
    return classifyStep(wanted.length);
  }

  async goLive(sink: Sink): Promise<boolean> {
    const isSent = await sendCheckpoint(sink, this.#checkpoints?.caughtUp());
    return isSent && sink.send(encodeCaughtUp());
  }
}

async function sendCheckpoint(sink: Sink, position: number | undefined): Promise<boolean> {
  return position === undefined || sink.send(encodeCheckpoint(position));
}

/**
 * One stream, all events after a revision. Catching up honours truncation; live events all come.
 */
class StreamSubscription {
  /** It has no checkpoints. */
  readonly owesInMs = undefined;
  readonly #cursor: StreamCursor;

  constructor(
    private readonly reader: Reader,
    private readonly request: ReadRequest,
    private readonly streamName: string,
  ) {
    const { from } = request;
    const end = this.#extent().lastRevision;
    const after = from === 'start' ? -1 : from === 'end' ? end : from;
    this.#cursor = new StreamCursor(reader.log.store, streamName, after + 1);
  }

  async deliverChunk(sink: Sink, isLive: boolean): Promise<Step> {
    const extent = this.#extent();
    if (extent.state === 'tombstoned' && !isLive) return 'stream-deleted';
    const visible = isLive ? { ...extent, firstRevision: 0, createdFromMs: 0 } : extent;
    const { records, isEnd } = this.#cursor.forward(visible, READ_CHUNK_EVENTS);
    for (const logged of records) {
      if (!(await sink.send(this.reader.encode(logged, this.request)))) return 'end';
      if (recordRevision(logged.record) === TOMBSTONE_REVISION) return 'stream-deleted';
    }
    if (isEnd) return 'end';
    return records.length === READ_CHUNK_EVENTS ? 'full' : 'some';
  }

  async goLive(sink: Sink): Promise<boolean> {
    return sink.send(encodeCaughtUp());
  }

  #extent(): StreamExtent {
    return this.reader.catalog.extent(this.streamName, Date.now());
  }
}
