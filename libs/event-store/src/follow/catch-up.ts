import type { Position } from '#domain/event';
import {
  jitteredDelayMs,
  type Log,
  sleepUnlessAborted,
  warnSeldom,
  withTimeLimit,
} from '#platform';
import type { EventStore, FeedItem } from '../streams/event-store.js';
import { BATCH_SIZE, RESUBSCRIBE_BASE_MS, RESUBSCRIBE_CAP_MS } from '../streams/limits.js';
import type { WantedStreams } from '../streams/stream-names.js';

export interface CatchUpOptions extends WantedStreams {
  readonly store: EventStore;
  /** The end of the last applied batch; asked again at every subscription. `START` when there is none. */
  readonly loadCheckpoint: () => Promise<Position>;
  /**
   * Applies events, in order, one call at a time, and keeps `upTo` as the checkpoint in the same act.
   * No events means that only events outside the filter went by. Events may come again after an error:
   * an application that has got further than `upTo` ignores them.
   */
  readonly handleBatch: (events: readonly FeedItem[], upTo: Position) => Promise<void>;
  readonly signal: AbortSignal;
  readonly log: Log;
  readonly batchSize?: number;
  /** See `SubscribeOptions`; true unless said otherwise. */
  readonly tellsEveryPosition?: boolean;
  /** Everything that was there when it subscribed is applied: the process may call itself ready. */
  readonly onCaughtUp?: () => void;
}

/**
 * The one road out (rules/events 3): every event after the checkpoint, in the store's order, until
 * it is stopped. The client does not resubscribe, so this does: after any failure it starts again from
 * its own checkpoint, after a jittered wait. It uses no persistent subscriptions, since the checkpoint
 * belongs beside the data, in the same atomic act (rules/events 6).
 * It is a loop and no `retry`: a batch that succeeds makes the next failure the first one again.
 *
 * @returns when `signal` is aborted, and never throws.
 */
export async function runCatchUp(options: CatchUpOptions): Promise<void> {
  const { signal, log } = options;
  let failures = 0;
  while (!signal.aborted) {
    try {
      await followOnce(options, () => (failures = 0));
    } catch (error) {
      if (isAborted(signal)) return;
      const waitMs = jitteredDelayMs(failures, RESUBSCRIBE_BASE_MS, RESUBSCRIBE_CAP_MS);
      failures += 1;
      warnSeldom(log, error, 'the subscription ended; it starts again');
      await sleepUnlessAborted(waitMs, signal);
    }
  }
}

async function followOnce(options: CatchUpOptions, onProgress: () => void): Promise<void> {
  const { store, categories, buckets, everywhere, signal, onCaughtUp } = options;
  const { batchSize = BATCH_SIZE, tellsEveryPosition = true } = options;
  const after = await options.loadCheckpoint();
  const batches = store.subscribe({
    after,
    categories,
    ...(buckets && { buckets }),
    ...(everywhere && { everywhere }),
    signal,
    batchSize,
    tellsEveryPosition,
    ...(onCaughtUp && { onCaughtUp }),
  });
  for await (const { events, upTo } of batches) {
    await options.handleBatch(events, upTo);
    onProgress();
  }
}

/** A function, since TypeScript would take the flag as unchanged since the loop's condition. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}

/**
 * The position of the last event of these streams that lies after a position; undefined where there is none.
 *
 * @throws Fault `unavailable` after the limit.
 */
export async function findLastPosition(
  store: Pick<EventStore, 'subscribe'>,
  wanted: WantedStreams & { readonly after: Position; readonly signal: AbortSignal },
  limitMs: number,
): Promise<Position | undefined> {
  const isRead = new AbortController();
  const batches = store.subscribe({
    ...wanted,
    batchSize: BATCH_SIZE,
    tellsEveryPosition: false,
    onCaughtUp: () => isRead.abort(),
    signal: AbortSignal.any([isRead.signal, wanted.signal]),
  });
  const last = async () => {
    let found: Position | undefined;
    for await (const { events } of batches) found = events.at(-1)?.position ?? found;
    return found;
  };
  try {
    return await withTimeLimit(last(), limitMs, 'reading what is new in the event store');
  } finally {
    isRead.abort();
  }
}
