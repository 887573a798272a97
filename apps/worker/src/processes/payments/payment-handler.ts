import { Inject, Injectable } from '@nestjs/common';
import { DelayedError, type Job } from 'bullmq';
import { type Log, warnSeldom } from '#platform';
import { Fenced } from '#projection-engine';
import { redisReply } from '#redis';
import { InFlightSet } from '../../feed/in-flight-set.js';
import type { Claims } from '../../jobs/fair-semaphore.js';
import type { JobHandler } from '../../jobs/job-runner.js';
import { APP_WEIGHT, FENCED_RETRY_MS, GATEWAY_ATTEMPTS } from '../../limits.js';
import { paymentJobs } from '../../metrics.js';
import { LOG } from '../../tokens.js';
import { ChargeAtGateway } from './charge-at-gateway.js';
import { askAgainAfterMs, gatewayRetryMs } from './gateway-backoff.js';
import type { PaymentJobData } from './payment-jobs.js';
import { RefundAtGateway } from './refund-at-gateway.js';

/**
 * Asks the gateway (rules/lifecycle 8). Every step is harmless when repeated: so a job that was killed
 * anywhere simply runs again, and neither charges twice nor forgets to charge.
 */
@Injectable()
export class PaymentHandler implements JobHandler<PaymentJobData> {
  constructor(
    private readonly charges: ChargeAtGateway,
    private readonly refunds: RefundAtGateway,
    private readonly inFlight: InFlightSet,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @throws Fault: the job is tried once more, soon; DelayedError when this process may not act now. */
  async process(job: Job<PaymentJobData>, token: string): Promise<void> {
    try {
      await this.#process(job);
    } catch (error) {
      if (!(error instanceof Fenced)) throw error;
      // That is no failed attempt: the job goes back as it was.
      await redisReply(job.moveToDelayed(Date.now() + FENCED_RETRY_MS, token));
      throw new DelayedError();
    }
  }

  async #process(job: Job<PaymentJobData>): Promise<void> {
    const { data } = job;
    const outcome = await this.#ask(data, job.attemptsMade).catch((error: unknown) => {
      paymentJobs.inc({ kind: data.kind, outcome: 'fault' });
      if (job.attemptsMade + 1 < GATEWAY_ATTEMPTS) throw error;
      warnSeldom(this.log, error, 'a charge or refund has no outcome; the gateway is asked again');
      return 'pending';
    });
    if (outcome === 'pending') return this.#askAgain(data);
    await this.inFlight.end(data.inFlight);
  }

  /** Each app has a gateway account of its own, which may be slow. */
  claimsFor({ causation }: PaymentJobData): Claims {
    return [{ key: causation.appId, weight: APP_WEIGHT }];
  }

  backoffMs(): number {
    return gatewayRetryMs(Math.random());
  }

  /** Money is never given up here: what has no outcome stays in flight, and is due again. */
  async onExhausted({ data }: Job<PaymentJobData>): Promise<void> {
    await this.#askAgain(data);
  }

  async #askAgain({ inFlight, causation }: PaymentJobData): Promise<void> {
    const nowMs = Date.now();
    const ageMs = nowMs - Date.parse(causation.occurredAt);
    await this.inFlight.askAgain(inFlight, nowMs + askAgainAfterMs(ageMs, Math.random()));
  }

  async #ask(data: PaymentJobData, failuresBefore: number): Promise<string> {
    const { kind } = data;
    const outcome =
      kind === 'charge'
        ? await this.charges.run(data, failuresBefore)
        : await this.refunds.run(data);
    paymentJobs.inc({ kind, outcome });
    return outcome;
  }
}
