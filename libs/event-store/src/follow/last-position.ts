import type { Position } from '#domain/event';
import { withTimeLimit } from '#platform';
import type { EventStore } from '../streams/event-store.js';
import type { WantedStreams } from '../streams/stream-names.js';

/** Callers follow streams in which little happens: a batch is more than there ever is to read. */
const BATCH_SIZE = 64;

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
