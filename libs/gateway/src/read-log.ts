import type { Position } from '#domain/event';
import { type BucketRange, type EventStore, type FeedItem, START } from '#event-store';

const BATCH_SIZE = 256;

interface LogToRead {
  readonly store: Pick<EventStore, 'subscribe' | 'headPosition'>;
  readonly category: string;
  readonly buckets?: readonly BucketRange[] | undefined;
  /** The position to begin after; the first event where it is omitted. */
  readonly after?: Position | undefined;
  readonly onProgress: (share: number) => void;
  readonly signal: AbortSignal;
}

/** All events of a category that are in the store now, in batches. @throws Fault `unavailable`. */
export async function* readLog(log: LogToRead): AsyncGenerator<readonly FeedItem[]> {
  const { store, category, buckets, after = START, onProgress, signal } = log;
  const begin = after === START ? 0 : Number(after);
  const length = Number(await store.headPosition()) - begin;
  const isRead = new AbortController();
  const batches = store.subscribe({
    categories: [category],
    ...(buckets !== undefined && { buckets }),
    ...{ after, batchSize: BATCH_SIZE, tellsEveryPosition: false },
    onCaughtUp: () => isRead.abort(),
    signal: AbortSignal.any([isRead.signal, signal]),
  });
  try {
    for await (const { events, upTo } of batches) {
      yield events;
      onProgress(length <= 0 ? 1 : Math.min(1, (Number(upTo) - begin) / length));
    }
  } finally {
    isRead.abort();
  }
}
