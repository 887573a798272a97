import { Inject, Injectable } from '@nestjs/common';
import { type EventStore, recordTime } from '#event-store';
import { type Log, sleepUntilTick, wallClock, warnSeldom } from '#platform';
import type { Lease } from '#projection-engine';
import { SLOW_TICK_MS } from '../limits.js';
import { EVENT_STORE, LEASE, LOG } from '../tokens.js';

const ACTOR = 'process:index_time';
/** The index is the ledger's: the holder of its first partition writes it. */
const WRITING_PARTITION = 0;

/** Records in the event store where it stands, once an hour (decision 0031). */
@Injectable()
export class TimeIndexWriter {
  constructor(
    @Inject(EVENT_STORE) private readonly store: Pick<EventStore, 'append' | 'readStream'>,
    @Inject(LEASE) private readonly lease: Pick<Lease, 'partition'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    if (this.lease.partition !== WRITING_PARTITION) return;
    do {
      await recordTime(this.store, wallClock.now(), ACTOR).catch((error: unknown) => {
        if (!signal.aborted) warnSeldom(this.log, error, 'the time index is written later');
      });
    } while (await sleepUntilTick(SLOW_TICK_MS, signal));
  }
}
