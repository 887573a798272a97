import type { Position } from '#domain/event';
import { Fault, retry } from '#platform';
import { type LedgerStore, START, type VerbatimEvent } from '#event-store';
import { type CopyPace, UNPACED } from './copy-pace.js';
import { type CopiedStores, readWindows } from './copy-windows.js';
import {
  APPEND_EVENTS,
  ATTEMPTS,
  RETRY_BASE_MS,
  RETRY_CAP_MS,
  STREAMS_AT_ONCE,
  STREAMS_NAMED,
} from './limits.js';
import { extend, type StreamDigest, StreamDigests } from './stream-digests.js';

const LAST_BUCKET = 255;

/** The readable part of a stream; null where there is none. */
export type ReadableDigest = Pick<StreamDigest, 'count' | 'hash'> | null;

export interface StreamDifference {
  readonly stream: string;
  readonly source: ReadableDigest;
  readonly target: ReadableDigest;
}

export interface StoreComparison {
  readonly streams: number;
  readonly events: number;
  /** How many streams differ; the first of them are named. */
  readonly differing: number;
  readonly differences: readonly StreamDifference[];
  /** How many streams begin anew, since their first events were gone; the first of them are named. */
  readonly truncated: number;
  readonly truncatedStreams: readonly { readonly stream: string; readonly fromRevision: number }[];
}

export interface CompareOptions extends CopiedStores {
  readonly namespace: string;
  /** Newer events of the source are left out. */
  readonly upTo: Position;
  readonly signal: AbortSignal;
  /** Streams of the target that are left out: the switch's own, where it was interrupted. */
  readonly leftOut?: RegExp;
  /** The share that it leaves to the source's programs. */
  readonly pace?: CopyPace;
  readonly streamsAtOnce?: number;
  readonly onEvents?: (count: number) => void;
}

/**
 * Compares a namespace in two stores, stream by stream, by number and hash of events. Each store is read from its
 * beginning, once where the digests of all streams have room, else in rounds. A log still holds truncated events. So a
 * stream that differs there is compared by its readable part, and so is each with a `$tb`.
 *
 * @throws Fault of a store.
 */
export async function compareStores(options: CompareOptions): Promise<StoreComparison> {
  const { streamsAtOnce = STREAMS_AT_ONCE } = options;
  const total = { streams: 0, events: 0, differing: 0, truncated: 0 };
  const differences: StreamDifference[] = [];
  const truncatedStreams: { stream: string; fromRevision: number }[] = [];
  for (let first = 0; first <= LAST_BUCKET;) {
    const source = await insist(() =>
      digest(options, 'source', new StreamDigests(first, LAST_BUCKET, streamsAtOnce)),
    );
    const target = await insist(() =>
      digest(options, 'target', new StreamDigests(first, source.lastBucket, Infinity)),
    );
    for (const [stream, { count, firstRevision }] of source.digests) {
      total.streams += 1;
      total.events += count;
      if (firstRevision <= (target.digests.get(stream)?.firstRevision ?? 0)) continue;
      total.truncated += 1;
      if (truncatedStreams.length >= STREAMS_NAMED) continue;
      truncatedStreams.push({ stream, fromRevision: firstRevision });
    }
    for (const stream of findDoubtful(source, target)) {
      const difference = await insist(() => readDifference(options, stream));
      if (difference === undefined) continue;
      total.differing += 1;
      if (differences.length < STREAMS_NAMED) differences.push(difference);
    }
    first = source.lastBucket + 1;
  }
  return { ...total, differences, truncatedStreams };
}

/** Waits for a store that goes away, and reads again from the beginning of the round. */
function insist<T>(read: () => Promise<T>): Promise<T> {
  return retry(read, { attempts: ATTEMPTS, baseMs: RETRY_BASE_MS, capMs: RETRY_CAP_MS });
}

async function digest(
  { namespace, signal, upTo, leftOut, onEvents, pace = UNPACED, ...stores }: CompareOptions,
  which: 'source' | 'target',
  digests: StreamDigests,
): Promise<StreamDigests> {
  const isSource = which === 'source';
  const { windowEvents } = pace;
  for await (const window of readWindows(stores[which], namespace, START, signal, windowEvents)) {
    const events = window.events.filter(({ position }) => !isSource || position <= upTo);
    for (const event of events) {
      if (isSource || leftOut?.test(event.streamName) !== true) digests.add(event);
    }
    onEvents?.(events.length);
    if (window.isCaughtUp || (isSource && window.upTo >= upTo)) break;
    await pace.pauseBehind(window, signal, false);
  }
  return digests;
}

/** Streams of which the logs do not say that the same can be read of them. */
function findDoubtful(source: StreamDigests, target: StreamDigests): Set<string> {
  const doubtful = new Set<string>();
  for (const stream of new Set([...source.digests.keys(), ...target.digests.keys()])) {
    const [left, right] = [source.digests.get(stream), target.digests.get(stream)];
    if (left?.hash !== right?.hash || left?.isEnded !== right?.isEnded) doubtful.add(stream);
    if (left?.hides === true || right?.hides === true) doubtful.add(stream.slice('$$'.length));
  }
  return doubtful;
}

async function readDifference(
  { source, target, upTo }: CompareOptions,
  stream: string,
): Promise<StreamDifference | undefined> {
  const left = await readDigest(source, stream, ({ position }) => position <= upTo);
  const right = await readDigest(target, stream, () => true);
  if (left?.hash === right?.hash && left?.isEnded === right?.isEnded) return undefined;
  return { stream, source: toReadable(left), target: toReadable(right) };
}

async function readDigest(
  { verbatim }: LedgerStore,
  stream: string,
  isWanted: (event: VerbatimEvent) => boolean,
): Promise<StreamDigest | undefined> {
  let found: StreamDigest | undefined;
  let fromRevision = 0;
  try {
    for (;;) {
      const events = await verbatim.readStream(stream, { fromRevision, maxCount: APPEND_EVENTS });
      const last = events.at(-1);
      if (last === undefined) return found;
      for (const event of events.filter(isWanted)) found = extend(found, event);
      fromRevision = last.revision + 1;
    }
  } catch (error) {
    const isEnded = error instanceof Fault && (await verbatim.isTombstoned(stream));
    if (!isEnded) throw error;
    return { count: 0, hash: '', firstRevision: 0, isEnded };
  }
}

function toReadable(digest: StreamDigest | undefined): ReadableDigest {
  return digest === undefined ? null : { count: digest.count, hash: digest.hash };
}
