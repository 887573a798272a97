import { Inject, Injectable } from '@nestjs/common';
import { type Log, sleepUntilTick, warnSeldom } from '#platform';
import { readInFlight } from '#worker-state';
import { FeedCheckpoint } from '../redis/feed-checkpoint.js';
import { InFlightSet } from '../redis/in-flight-set.js';
import { InFlightWork } from '../feed/in-flight-work.js';
import { POLL_AGAIN_MS, TAKEN_UP_AT_ONCE, TICK_MS } from '../limits.js';
import { LOG } from '../tokens.js';
import { PaymentRunner } from './payment-runner.js';

/**
 * Begins again the charges and refunds that are due: those for which the gateway is to be asked again, and
 * those whose job was lost with a process. When they are due stands in Redis and in the checkpoint backup: a
 * job is in memory alone (rules/payments 4, decision 0020).
 */
@Injectable()
export class GatewaySweep {
  constructor(
    private readonly inFlight: InFlightSet,
    private readonly work: InFlightWork,
    private readonly checkpoint: FeedCheckpoint,
    @Inject(PaymentRunner)
    private readonly runner: Pick<PaymentRunner, 'isAtWork' | 'jobsAtMost'>,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * Begins with the work that another process has left, or this one at its last start: it had it in memory. Runs until
   * the signal is aborted; never throws.
   */
  async run(signal: AbortSignal): Promise<void> {
    const logged = (error: unknown) => {
      warnSeldom(this.log, error, 'due charges could not be begun again');
    };
    await this.takeUp(Date.now(), signal).catch(logged);
    while (await sleepUntilTick(TICK_MS, signal)) {
      const nowMs = Date.now();
      await this.sweep(nowMs, nowMs + POLL_AGAIN_MS).catch(logged);
    }
  }

  /**
   * All that was begun or looked at and has not ended, as much as memory holds, page by page. Charges that the gateway
   * is asked about again so soon are asked about a little sooner.
   *
   * @throws as `sweep`.
   */
  async takeUp(nowMs: number, signal: AbortSignal): Promise<void> {
    const dueByMs = nowMs + POLL_AGAIN_MS;
    for (let taken = 0; taken < this.runner.jobsAtMost && !signal.aborted;) {
      // Looked at next at the end of that time, so that a start after this one finds it again.
      const { due } = await this.#beginPage(dueByMs, dueByMs + 1);
      if (due < TAKEN_UP_AT_ONCE) return;
      taken += due;
    }
  }

  /**
   * Work with a job is put off and counts for nothing: so much of it waits in memory that it would hide work without
   * one (rules/fairness 4).
   *
   * @param dueByMs the latest time, by the wall clock, at which work to be begun again was to be looked at.
   * @param lookAtMs when it is looked at next.
   * @throws Fault of the store or of Redis; Fenced.
   */
  async sweep(dueByMs: number, lookAtMs: number): Promise<void> {
    const dueAtMost = this.runner.jobsAtMost + TAKEN_UP_AT_ONCE;
    for (let due = 0, lost = 0; due < dueAtMost && lost < TAKEN_UP_AT_ONCE;) {
      const page = await this.#beginPage(dueByMs, lookAtMs);
      if (page.due < TAKEN_UP_AT_ONCE) return;
      due += page.due;
      lost += page.lost;
    }
  }

  /** @returns how much was due, up to a page, and on how much of that no job works. */
  async #beginPage(dueByMs: number, lookAtMs: number): Promise<{ due: number; lost: number }> {
    const due = await this.inFlight.listDue(dueByMs, TAKEN_UP_AT_ONCE);
    if (due.length === 0) return { due: 0, lost: 0 };
    // First of all: work that cannot be begun must not come again at once, and starve the work behind it.
    await this.inFlight.lookAgain(due, dueByMs, lookAtMs);
    const lost = due.filter((member) => !this.runner.isAtWork(member));
    const inFlight = lost.flatMap((member) => readInFlight(member) ?? []);
    if (inFlight.length > 0) await this.work.redoEach(inFlight, this.checkpoint.position);
    return { due: due.length, lost: lost.length };
  }
}
