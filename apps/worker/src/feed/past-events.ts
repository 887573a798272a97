import { Inject, Injectable } from '@nestjs/common';
import type { Position } from '#domain/event';
import type { EventBatch, EventStore, Partitions } from '#event-store';
import type { Lease } from '#projection-engine';
import { PAST_EVENTS_PAGE } from '../limits.js';
import { EVENT_STORE, LEASE, PARTITIONS } from '../tokens.js';

/** Why reading ends where the store has nothing more. */
const ALL_READ = 'all is read';

/** Is given batches until it wants none any more, and none at the end of the store. */
export type Take = (batch?: EventBatch) => Promise<boolean>;

interface From {
  readonly after: Position;
  readonly categories: readonly string[];
  readonly signal: AbortSignal;
}

/** Events of the partition that the feed has worked on before, from the store. */
@Injectable()
export class PastEvents {
  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'subscribe'>,
    @Inject(PARTITIONS) private readonly partitions: Partitions,
    @Inject(LEASE) private readonly lease: Pick<Lease, 'partition'>,
  ) {}

  /** Gives the events behind a position, while `take` wants them. @throws Fault of the store; the error of `take`. */
  async read({ after, categories, signal }: From, take: Take): Promise<void> {
    const reading = new AbortController();
    const buckets = this.partitions.rangesFor([this.lease.partition]);
    const batches = this.store.subscribe({
      after,
      categories,
      ...(buckets && { buckets }),
      signal: AbortSignal.any([signal, reading.signal]),
      batchSize: PAST_EVENTS_PAGE,
      tellsEveryPosition: false,
      // Nothing more may come by which to see that it is all.
      onCaughtUp: () => {
        reading.abort(ALL_READ);
      },
    });
    try {
      for await (const batch of batches) if (!(await take(batch))) return;
    } finally {
      reading.abort();
    }
    if (reading.signal.reason === ALL_READ) await take();
  }
}
