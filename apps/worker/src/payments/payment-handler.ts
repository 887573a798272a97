import { Inject, Injectable } from '@nestjs/common';
import { toMilliseconds } from '#domain/calendar';
import { type Log, warnSeldom } from '#platform';
import { Fenced } from '#projection-engine';
import { InFlightSet } from '../redis/in-flight-set.js';
import { GATEWAY_ATTEMPTS } from '../limits.js';
import { paymentJobs } from '../metrics.js';
import { LOG } from '../tokens.js';
import { ChargeAtGateway } from './charge-at-gateway.js';
import { type AskAgain, askAgainAfterMs, type JobResult, pendingSince } from './job-result.js';
import type { PaymentJob, PaymentJobData } from './payment-jobs.js';
import { RefundAtGateway } from './refund-at-gateway.js';

/**
 * Asks the gateway (rules/lifecycle 8). Every step is harmless when repeated: so a job that was killed
 * anywhere simply runs again, and neither charges twice nor forgets to charge.
 */
@Injectable()
export class PaymentHandler {
  constructor(
    private readonly charges: ChargeAtGateway,
    private readonly refunds: RefundAtGateway,
    private readonly inFlight: InFlightSet,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /**
   * @throws Fault: the job is tried once more, soon; Fenced where this process may not act now, which is no
   *   failed attempt.
   */
  async process({ data, attemptsMade }: PaymentJob): Promise<void> {
    const { again } = await this.#ask(data, attemptsMade).catch((error: unknown) => {
      if (error instanceof Fenced) throw error;
      paymentJobs.inc({ kind: data.kind, outcome: 'fault' });
      if (attemptsMade + 1 < GATEWAY_ATTEMPTS) throw error;
      warnSeldom(this.log, error, 'a charge or refund has no outcome; the gateway is asked again');
      return pendingSince(data.causation);
    });
    if (again === null) await this.inFlight.end(data.inFlight);
    else await this.#askAgain(data, again);
  }

  /** Nothing is forgotten here: a payment without an outcome stays in flight, and is due again. */
  async onExhausted({ data }: PaymentJob): Promise<void> {
    await this.#askAgain(data, pendingSince(data.causation).again);
  }

  async #askAgain(data: PaymentJobData, { sinceMs, capMs }: AskAgain): Promise<void> {
    const nowMs = Date.now();
    const atMs = nowMs + askAgainAfterMs(nowMs - sinceMs, Math.random(), capMs);
    // By the app's clock the end is a due date of its subscription, which has the gateway asked then.
    const bound = data.kind === 'charge' && data.bound.clock === 'wall' ? data.bound.at : null;
    const boundMs = bound === null ? nowMs : toMilliseconds(bound);
    await this.inFlight.askAgain(data.inFlight, boundMs > nowMs ? Math.min(atMs, boundMs) : atMs);
  }

  async #ask(data: PaymentJobData, failuresBefore: number): Promise<JobResult> {
    const { kind } = data;
    const result =
      kind === 'charge'
        ? await this.charges.run(data, failuresBefore)
        : await this.refunds.run(data);
    paymentJobs.inc({ kind, outcome: result.outcome });
    return result;
  }
}
