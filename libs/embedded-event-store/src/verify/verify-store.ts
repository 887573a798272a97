import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { StoreDamaged } from '../failures.js';
import { VERIFY_CHUNK_EVENTS } from '../limits.js';
import type { ProgressBar } from '../progress-bar.js';
import { LogStore } from '../storage/log-store.js';
import { recordRevision, recordStreamName, TOMBSTONE_REVISION } from '../storage/record.js';

/** The place of the first damage. */
export interface Finding {
  readonly position: number;
  /** Undefined if neither the event nor the index says it any more. */
  readonly stream?: string;
  readonly what: string;
}

export interface Verification {
  readonly events: number;
  readonly streams: number;
  readonly damagedEvents: number;
  readonly first?: Finding;
  /** Disagreements of the tables that belong to no position. */
  readonly tables: readonly string[];
}

/** Reads every event of a file that no store writes to, and shows how far it is. */
export async function readWholeFile(file: string, bar: ProgressBar): Promise<Verification> {
  const store = new LogStore(file, undefined, { readOnly: true });
  try {
    return await verifyStore(store, (verified, total) => bar.show(verified, total));
  } finally {
    bar.clear();
    await store.close();
  }
}

/** The same, for a copy. @throws StoreDamaged where it is not whole. */
export async function verifyFile(file: string, bar: ProgressBar): Promise<Verification> {
  const found = await readWholeFile(file, bar);
  const problem = describeProblem(found);
  if (problem === undefined) return found;
  const message = `The copy in ${path.dirname(file)} is damaged, and so is its original: ${problem}.`;
  throw new StoreDamaged(message, problem);
}

/** The problem, the first damaged place first; undefined if there is none. */
export function describeProblem({
  first,
  damagedEvents,
  events,
  tables,
}: Verification): string | undefined {
  if (!first) return tables.length === 0 ? undefined : tables.join('; ');
  const { stream = 'unknown', what } = first;
  const where = what.includes(stream) ? what : `${what}, of the stream ${stream}`;
  return `${where}; ${showNumber(damagedEvents)} of ${showNumber(events)} events are damaged, this one first`;
}

export function showNumber(number: number): string {
  return number.toLocaleString('en-US');
}

/**
 * Reads every event: its checksum and its content; the index leads to it under its stream and revision; the revision
 * before it lies at an earlier position; and each table has as many entries as the events ask for.
 * Positions have no gap, for each is asked for. Damage is counted, and does not end the reading.
 */
async function verifyStore(
  store: LogStore,
  onProgress: (verified: number, total: number) => void,
): Promise<Verification> {
  const counts = store.counts();
  const total = counts.events;
  let streams = 0;
  let damagedEvents = 0;
  let first: Finding | undefined;
  for (let position = 1; position <= total; position += 1) {
    try {
      if (verifyEvent(store, position)) streams += 1;
    } catch (error) {
      if (!(error instanceof StoreDamaged)) throw error;
      store.resetReads();
      damagedEvents += 1;
      first ??= { position, ...streamAt(store, position, counts.streams), what: error.what };
    }
    if (position % VERIFY_CHUNK_EVENTS === 0 || position === total) {
      onProgress(position, total);
      await nextTurn();
    }
  }
  const tables = damagedEvents > 0 ? [] : disagreements(counts, { events: total, streams });
  return { events: total, streams: counts.streams, damagedEvents, ...(first && { first }), tables };
}

/** Answers whether the event is the first of its stream. Throws `StoreDamaged`. */
function verifyEvent(store: LogStore, position: number): boolean {
  const record = store.record(position);
  store.content({ position, record });
  const name = recordStreamName(record);
  const revision = recordRevision(record);
  const number = store.streamNumber(name);
  if (number === undefined) throw store.damagedAt(position, `the stream ${name} is not listed`);
  if (store.entry(number, revision)?.position !== position) {
    throw store.damagedAt(position, `the index does not lead to event ${revision} of ${name}`);
  }
  const before =
    revision === TOMBSTONE_REVISION
      ? store.lastEntry(number, TOMBSTONE_REVISION - 1)
      : store.entry(number, revision - 1);
  if (before) {
    if (before.position < position) return false;
    throw store.damagedAt(position, `event ${revision} of ${name} lies before the one before it`);
  }
  if (revision === 0 || revision === TOMBSTONE_REVISION) return true;
  throw store.damagedAt(position, `there is no event before event ${revision} of ${name}`);
}

function disagreements(
  counts: ReturnType<LogStore['counts']>,
  found: { readonly events: number; readonly streams: number },
): string[] {
  const problems: string[] = [];
  if (counts.index !== found.events) {
    problems.push(`its index has ${counts.index} entries for ${found.events} events`);
  }
  if (counts.streams !== found.streams) {
    problems.push(`it lists ${counts.streams} streams, and its events are of ${found.streams}`);
  }
  return problems;
}

/** The stream of a damaged event: by its own word, else by that of the index and another event. */
function streamAt(store: LogStore, position: number, streams: number): { stream?: string } {
  if (isSound(store, position)) return { stream: recordStreamName(store.record(position)) };
  for (let number = 1; number <= streams; number += 1) {
    try {
      const found = listEntries(store, number);
      if (!found.some((at) => at === position)) continue;
      const sound = found.find((at) => at !== position && isSound(store, at));
      return sound === undefined ? {} : { stream: recordStreamName(store.record(sound)) };
    } catch (error) {
      if (!(error instanceof StoreDamaged)) throw error;
      store.resetReads();
    }
  }
  return {};
}

/** The positions of a stream's events, as far as its index can be followed. */
function listEntries(store: LogStore, number: number): number[] {
  const positions: number[] = [];
  for (let revision = 0; ; revision += 1) {
    const entry = store.entry(number, revision);
    if (!entry) return positions;
    positions.push(entry.position);
  }
}

function isSound(store: LogStore, position: number): boolean {
  try {
    store.record(position);
    return true;
  } catch (error) {
    if (!(error instanceof StoreDamaged)) throw error;
    store.resetReads();
    return false;
  }
}
