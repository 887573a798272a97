import { Inject, Injectable } from '@nestjs/common';
import { type EventStore, runCatchUp } from '#event-store';
import type { Log } from '#platform';
import { EVENT_STORE, LOG } from '../tokens.js';
import { BatchHandler } from './batch-handler.js';
import { LossWatch } from './loss-watch.js';
import { Recovery } from './recovery.js';

/**
 * The one road out for side effects (rules/events 3 and 4): every event is given to the consumers, at
 * least once and in order.
 */
@Injectable()
export class Reactor {
  constructor(
    @Inject(EVENT_STORE) private readonly store: EventStore,
    private readonly recovery: Recovery,
    private readonly batches: BatchHandler,
    private readonly lossWatch: LossWatch,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. `onResumed` may be called more than once. */
  async run(signal: AbortSignal, onResumed: () => void): Promise<void> {
    while (!signal.aborted) {
      const round = new AbortController();
      const roundSignal = AbortSignal.any([signal, round.signal]);
      const watching = this.lossWatch.untilLost(roundSignal).then(() => round.abort());
      await runCatchUp({
        store: this.store,
        categories: this.batches.categories,
        loadCheckpoint: async () => {
          const position = await this.recovery.resume();
          this.batches.resumeAt(position);
          onResumed();
          return position;
        },
        handleBatch: (items, upTo) => this.batches.handle(items, upTo),
        signal: roundSignal,
        log: this.log,
      });
      round.abort();
      await watching;
    }
  }
}
