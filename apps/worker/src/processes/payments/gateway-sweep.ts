import { Inject, Injectable } from '@nestjs/common';
import { type Log, sleepUntilTick, warnSeldom } from '#platform';
import { FeedCheckpoint } from '../../feed/feed-checkpoint.js';
import { readInFlight } from '../../feed/in-flight.js';
import { InFlightSet } from '../../feed/in-flight-set.js';
import { InFlightWork } from '../../feed/in-flight-work.js';
import { GATEWAY_SWEEP_EVERY_MS, GATEWAY_SWEPT_AT_ONCE, LOOK_AGAIN_MS } from '../../limits.js';
import { LOG } from '../../tokens.js';

/**
 * Begins again the charges and refunds that are due: those for which the gateway is to be asked again, and
 * those whose job was lost. When they are due stands in Redis and in the checkpoint backup, and in no
 * delayed job, which would be forgotten with Redis (rules/payments 4).
 */
@Injectable()
export class GatewaySweep {
  constructor(
    private readonly inFlight: InFlightSet,
    private readonly work: InFlightWork,
    private readonly checkpoint: FeedCheckpoint,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal): Promise<void> {
    while (await sleepUntilTick(GATEWAY_SWEEP_EVERY_MS, signal)) {
      await this.sweep(Date.now()).catch((error: unknown) => {
        warnSeldom(this.log, error, 'due charges could not be begun again');
      });
    }
  }

  /** @param nowMs by the wall clock. @throws Fault of the store or of Redis; Fenced. */
  async sweep(nowMs: number): Promise<void> {
    const due = await this.inFlight.listDue(nowMs, GATEWAY_SWEPT_AT_ONCE);
    if (due.length === 0) return;
    // First of all: what cannot be begun must not come again at once, and starve what is behind it.
    const later = due.map((member) =>
      this.inFlight.lookAgain(member, nowMs, nowMs + LOOK_AGAIN_MS),
    );
    await Promise.all(later);
    const inFlight = due.flatMap((member) => readInFlight(member) ?? []);
    await this.work.redoEach(inFlight, this.checkpoint.position);
  }
}
