import type { Position } from '#domain/event';
import type { EventBatch, EventStore } from '../streams/event-store.js';
import { START } from '../streams/position.js';
import type { WantedStreams } from '../streams/stream-names.js';

const BATCH_SIZE = 256;

export interface LogToRead extends Pick<WantedStreams, 'categories' | 'buckets'> {
  readonly store: Pick<EventStore, 'subscribe' | 'headPosition'>;
  /** The position to begin after; the first event where it is omitted. */
  readonly after?: Position | undefined;
  /** Called with the share that is read, behind each batch. */
  readonly onProgress?: (share: number) => void;
  readonly signal?: AbortSignal;
}

/** All events of some categories that are in the store now, in batches. @throws Fault `unavailable`. */
export async function* readLog(log: LogToRead): AsyncGenerator<EventBatch> {
  const { store, categories, buckets, after = START, onProgress, signal } = log;
  const begin = after === START ? 0 : Number(after);
  const length = onProgress === undefined ? 0 : Number(await store.headPosition()) - begin;
  const isRead = new AbortController();
  const batches = store.subscribe({
    ...{ categories, buckets, after, batchSize: BATCH_SIZE, tellsEveryPosition: false },
    onCaughtUp: () => isRead.abort(),
    signal: signal === undefined ? isRead.signal : AbortSignal.any([isRead.signal, signal]),
  });
  try {
    for await (const batch of batches) {
      yield batch;
      onProgress?.(length <= 0 ? 1 : Math.min(1, (Number(batch.upTo) - begin) / length));
    }
  } finally {
    isRead.abort();
  }
}
