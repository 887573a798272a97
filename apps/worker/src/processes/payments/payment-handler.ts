import { Inject, Injectable } from '@nestjs/common';
import { DelayedError, type Job } from 'bullmq';
import { deriveLateRefundId } from '#domain/ids';
import {
  type ChargeRequest,
  findOpenRefund,
  paymentAggregate,
  type PaymentCommand,
  type RequestedPayment,
  isOffSession,
} from '#domain/payment';
import type { CommandExecutor } from '#event-store';
import type { ChargeOutcome, PaymentGateway, PaymentGateways } from '#gateway';
import { assertDefect, Fault, type Log, warnSeldom } from '#platform';
import { Fenced } from '#projection-engine';
import { redisReply } from '#redis';
import type { AppDirectory } from '#tenancy';
import { FeedWindow } from '../../feed/feed-window.js';
import { InFlightSet } from '../../feed/in-flight-set.js';
import type { Claims } from '../../jobs/fair-semaphore.js';
import type { JobHandler } from '../../jobs/job-runner.js';
import { APP_WEIGHT, FENCED_RETRY_MS, GATEWAY_ATTEMPTS } from '../../limits.js';
import { paymentJobs } from '../../metrics.js';
import { APPS, COMMANDS, GATEWAYS, LOG } from '../../tokens.js';
import { type Causation, contextFrom } from '../causation.js';
import { askAgainAfterMs, gatewayRetryMs } from './gateway-backoff.js';
import type { ChargeJobData, PaymentJobData, RefundJobData } from './payment-jobs.js';

/**
 * Asks the gateway (rules/lifecycle 8). The payment's id is the gateway's idempotency key, and every step
 * before and after is harmless when repeated: so a job that was killed anywhere simply runs again, and
 * neither charges twice nor forgets to charge.
 */
@Injectable()
export class PaymentHandler implements JobHandler<PaymentJobData> {
  constructor(
    @Inject(COMMANDS) private readonly commands: CommandExecutor,
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    @Inject(APPS) private readonly apps: Pick<AppDirectory, 'now'>,
    private readonly inFlight: InFlightSet,
    @Inject(FeedWindow) private readonly feed: Pick<FeedWindow, 'noteAppended'>,
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
      kind === 'charge' ? await this.#charge(data, failuresBefore) : await this.#refund(data);
    paymentJobs.inc({ kind, outcome });
    return outcome;
  }

  async #charge({ charge, causation }: ChargeJobData, failuresBefore: number): Promise<string> {
    const { paymentId } = charge;
    const requested = await this.#command(paymentId, causation, (now) => ({
      kind: 'RequestPayment',
      charge,
      now,
    }));
    if (requested.status !== 'PENDING') return 'settled_before';
    const outcome = await this.#askToCharge(charge, causation).catch(async (error: unknown) => {
      // An answer that was lost is there when asked again; a gateway that is down may stay so.
      if (failuresBefore > 0) await this.#leavePending(paymentId, causation);
      throw error;
    });
    const { status } = outcome;
    if (status === 'pending') {
      await this.#leavePending(paymentId, causation);
      return status;
    }
    await this.#command(paymentId, causation, (now) =>
      status === 'captured'
        ? { kind: 'CapturePayment', method: outcome.method, now }
        : { kind: 'DeclinePayment', decline: outcome.decline, method: outcome.method, now },
    );
    return status;
  }

  async #askToCharge(charge: ChargeRequest, causation: Causation): Promise<ChargeOutcome> {
    const { paymentId, purpose, paymentMethod, amount } = charge;
    return this.#findGateway(causation).charge({
      key: paymentId,
      reference: purpose.subscriptionId,
      paymentMethod,
      amount,
      offSession: isOffSession(purpose),
    });
  }

  /** What waits for the outcome, as a test clock does, learns that it takes its time. */
  async #leavePending(paymentId: string, causation: Causation): Promise<void> {
    await this.#command(paymentId, causation, (now) => ({ kind: 'LeavePaymentPending', now }));
  }

  /** A charge without a gateway waits as for one that is down: it must not cost the player the access. */
  #findGateway({ appId, environment }: Causation): PaymentGateway {
    const gateway = this.gateways.of(environment);
    if (gateway !== undefined) return gateway;
    const message = `the ${environment} app ${appId} has no payment gateway (GATEWAY_NOT_CONFIGURED)`;
    throw new Fault('unavailable', message, { retryable: true });
  }

  async #refund({ paymentId, refundId, causation }: RefundJobData): Promise<string> {
    const open = await this.#findOpenRefund(paymentId, refundId, causation);
    if (open === undefined) return 'settled_before';
    const { reference, amount } = open;
    const refund = { key: refundId, chargeKey: paymentId, reference, amount };
    try {
      await this.#findGateway(causation).refund(refund);
    } catch (error) {
      if (!(error instanceof Fault) || error.code !== 'refused') throw error;
      this.log.error({ err: error, paymentId, refundId }, 'the gateway refuses a refund');
      await this.#command(paymentId, causation, (now) => ({ kind: 'FailRefund', refundId, now }));
      return 'refused';
    }
    await this.#command(paymentId, causation, (now) => ({ kind: 'ConfirmRefund', refundId, now }));
    return 'refunded';
  }

  /** The refund as it was asked for; a job that the release before this one made asks for it here. */
  async #findOpenRefund(paymentId: string, refundId: string, causation: Causation) {
    const loaded = await this.commands.load(paymentAggregate, paymentId);
    assertDefect(loaded.state.status !== 'none', `${refundId} is of a payment that is not there`);
    const findIn = (payment: RequestedPayment) => {
      const open = findOpenRefund(payment, refundId);
      return open && { ...open, reference: payment.purpose.subscriptionId };
    };
    const open = findIn(loaded.state);
    if (open !== undefined || loaded.state.refundIds.includes(refundId)) return open;
    assertDefect(refundId === deriveLateRefundId(paymentId), `${refundId} was not asked for`);
    const asked = (now: string) => ({ kind: 'ReturnPayment', refundId, now }) as const;
    return findIn(await this.#command(paymentId, causation, asked));
  }

  async #command(
    paymentId: string,
    causation: Causation,
    commandAt: (now: string) => PaymentCommand,
  ): Promise<RequestedPayment> {
    const context = contextFrom(causation, await this.apps.now(causation));
    const command = commandAt(context.now);
    const result = await this.commands.execute(paymentAggregate, paymentId, command, context);
    assertDefect(
      result.accepted,
      `${command.kind} of ${paymentId}: ${result.accepted ? '' : result.rejection.code}`,
    );
    if (result.position !== null) void this.feed.noteAppended(result.position);
    assertDefect(result.state.status !== 'none', `${paymentId} is not there after ${command.kind}`);
    return result.state;
  }
}
