/**
 * The store's position once an hour (decision 0031): a question by time need not be read for from the beginning. A
 * record is an event, and its own place in the store's order is the record.
 */
import { addMilliseconds } from '#domain/calendar';
import type { Instant, Position } from '#domain/event';
import { eventOfNoApp, limitStream } from './event-of-no-app.js';
import { type EventStore, RevisionConflict } from './event-store.js';
import { START } from './position.js';

export const TIME_INDEX_RECORDED = 'time_index.recorded.v1';

const STREAM = 'time_index-hours';
const RECORD_EVERY_MS = 3_600_000;
/** Those of 31 days, which is as far back as is asked for, and of two more. */
const RECORDS_KEPT = 800;
/** Clocks of machines differ, and an act begun before a record may be appended behind it. */
const CLOCK_TOLERANCE_MS = 600_000;

/** The events between two positions, both of them included or not. */
export interface PlacesOfTime {
  /** Nothing of the time lies before it. */
  readonly after: Position;
  /** Nothing of the time lies behind it; undefined where that is not known. */
  readonly upTo: Position | undefined;
}

/**
 * Appends a record where the last one is an hour old.
 *
 * @param now by the wall clock. @param actor who does it, such as `process:index_time`. @throws Fault of the store.
 */
export async function recordTime(
  store: Pick<EventStore, 'append' | 'readStream'>,
  now: Instant,
  actor: string,
): Promise<void> {
  let revision = -1;
  for await (const last of store.readStream(STREAM, { backwards: true, maxCount: 1 })) {
    if (addMilliseconds(readTime(last.data), RECORD_EVERY_MS) > now) return;
    ({ revision } = last);
  }
  if (revision === -1) await limitStream(store, STREAM, RECORDS_KEPT, actor);
  const event = eventOfNoApp(actor, TIME_INDEX_RECORDED, { at: now });
  try {
    await store.append(STREAM, revision === -1 ? 'no_stream' : revision, [event]);
  } catch (error) {
    // Another process was first.
    if (!(error instanceof RevisionConflict)) throw error;
  }
}

/**
 * Between which places all lies that was appended within a time. In a ledger without a record before it, that is
 * from the beginning.
 *
 * @param since by the wall clock. @throws Fault of the store.
 */
export async function findPlacesOfTime(
  store: Pick<EventStore, 'readStream'>,
  since: Instant,
  until: Instant,
): Promise<PlacesOfTime> {
  const begin = addMilliseconds(since, -CLOCK_TOLERANCE_MS);
  const end = addMilliseconds(until, CLOCK_TOLERANCE_MS);
  let upTo: Position | undefined;
  for await (const { position, data } of store.readStream(STREAM, { backwards: true })) {
    const at = readTime(data);
    if (at >= end) upTo = position;
    if (at <= begin) return { after: position, upTo };
  }
  return { after: START, upTo };
}

/** Only `recordTime` writes there. */
function readTime(data: unknown): Instant {
  return (data as { readonly at: Instant }).at;
}
