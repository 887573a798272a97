import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import { StreamCatalog, type StreamExtent } from '../read/stream-catalog.js';
import type { Commit, LogStore, StagedEvent } from '../storage/log-store.js';
import {
  encodeScavenged,
  isScavenged,
  recordCreatedMs,
  recordRevision,
  recordStreamName,
  TOMBSTONE_REVISION,
} from '../storage/record.js';

/** One commit of the copy: large enough for its sync, small enough for the calls that wait meanwhile. */
const STEP_EVENTS = 256;

/**
 * Copies the committed events that the target lacks: positions, streams and revisions as they are, and the content of
 * all that are not cut.
 *
 * @param requireGoingOn called before each step; its error ends the copy.
 * @returns how many events lost their content. @throws the errors of the files.
 */
export async function copyUncut(
  source: LogStore,
  target: LogStore,
  cuts: Cuts,
  requireGoingOn: () => void,
): Promise<number> {
  const end = source.lastPosition();
  let cut = 0;
  let lastStream = target.lastStream();
  for (let position = target.lastPosition(); position < end; position = target.lastPosition()) {
    requireGoingOn();
    const newStreams: Commit['newStreams'] = [];
    const events: StagedEvent[] = [];
    for (const { position: at, record } of source.logForward(position + 1, STEP_EVENTS)) {
      const name = recordStreamName(record);
      const stream = cuts.extent(name).number;
      if (stream === 0) throw source.damagedAt(at, `the stream ${name} is not listed`);
      if (stream > lastStream) newStreams.push({ name, stream: (lastStream = stream) });
      const isNewlyCut = !isScavenged(record) && cuts.isCut(name, record);
      if (isNewlyCut) cut += 1;
      const left = isNewlyCut ? encodeScavenged(record, at) : record;
      events.push({ position: at, record: left, stream, revision: recordRevision(record) });
    }
    await target.commit({ newStreams, events });
    await nextTurn();
  }
  return cut;
}

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
