import { DelayedError, type Job, UnrecoverableError } from 'bullmq';
import type { Redis } from 'ioredis';
import {
  type ChargeRequest,
  paymentAggregate,
  type PaymentCommand,
  refundable,
  type RequestedPayment,
} from '#domain/payment';
import type { CommandExecutor } from '#event-store';
import type { ChargeOutcome, PaymentGateway, PaymentGateways } from '#gateway';
import { assertDefect, Fault } from '#platform';
import type { AppDirectory } from '#tenancy';
import { PENDING_ASK_BASE_MS, PENDING_ASK_CAP_MS, PENDING_QUESTIONS } from '../../limits.js';
import { paymentJobs } from '../../metrics.js';
import { type Cause, contextFrom } from '../causation.js';
import { ofRedis } from '../../redis/connect.js';
import type { WorkerKeys } from '../../redis/keys.js';
import type { ChargeJobData, PaymentJobData, RefundJobData } from './payment-jobs.js';

interface PaymentProcessorParts {
  readonly commands: CommandExecutor;
  readonly gateways: PaymentGateways;
  readonly apps: Pick<AppDirectory, 'now'>;
  readonly redis: Redis;
  readonly keys: WorkerKeys;
}

/** After so much of its age a pending charge is asked for again: soon at first, then ever less often. */
const PENDING_ASK_FRACTION = 1 / 4;

/**
 * Asks the gateway (decisions 6, "Exactly one charge"). The payment's id is the gateway's idempotency
 * key, and every step before and after is harmless when repeated: so a job that was killed anywhere
 * simply runs again, and neither charges twice nor forgets to charge.
 */
export class PaymentProcessor {
  readonly #parts: PaymentProcessorParts;

  constructor(parts: PaymentProcessorParts) {
    this.#parts = parts;
  }

  /** @throws Fault: the job is tried again; DelayedError when it asks again later by itself. */
  async process(job: Job<PaymentJobData>, token: string): Promise<void> {
    const { redis, keys } = this.#parts;
    const { data } = job;
    try {
      const outcome =
        data.kind === 'charge'
          ? await this.#charge(data, job.attemptsMade)
          : await this.#refund(data);
      paymentJobs.inc({ kind: data.kind, outcome });
      if (outcome === 'pending' && data.kind === 'charge') await this.#askLater(job, data, token);
    } catch (error) {
      if (!(error instanceof DelayedError)) paymentJobs.inc({ kind: data.kind, outcome: 'fault' });
      throw error;
    }
    await ofRedis(redis.zrem(keys.unsettled, data.unsettled));
  }

  async #charge({ charge, cause }: ChargeJobData, failuresBefore: number): Promise<string> {
    const { paymentId } = charge;
    const requested = await this.#command(paymentId, cause, (now) => ({
      kind: 'RequestPayment',
      charge,
      now,
    }));
    if (requested.status !== 'PENDING') return 'settled_before';
    const outcome = await this.#ask(charge, cause).catch(async (error: unknown) => {
      // An answer that was lost is there when asked again; a gateway that is down may stay so.
      if (failuresBefore > 0) await this.#leavePending(paymentId, cause);
      throw error;
    });
    const { status } = outcome;
    if (status === 'pending') {
      await this.#leavePending(paymentId, cause);
      return status;
    }
    await this.#command(paymentId, cause, (now) =>
      status === 'captured'
        ? { kind: 'CapturePayment', method: outcome.method, now }
        : { kind: 'DeclinePayment', decline: outcome.decline, method: outcome.method, now },
    );
    return status;
  }

  async #ask(charge: ChargeRequest, cause: Cause): Promise<ChargeOutcome> {
    const { paymentId, subscriptionId, paymentMethod, amount, context } = charge;
    return this.#gatewayOf(cause).charge({
      key: paymentId,
      reference: subscriptionId,
      paymentMethod,
      amount,
      offSession: context !== 'INITIAL',
    });
  }

  /** Whoever waits for the outcome, as a test clock does, is told that it takes its time. */
  async #leavePending(paymentId: string, cause: Cause): Promise<void> {
    await this.#command(paymentId, cause, (now) => ({ kind: 'LeavePaymentPending', now }));
  }

  /** A charge without a gateway waits as for one that is down: it must not cost the player the access. */
  #gatewayOf({ appId, environment }: Cause): PaymentGateway {
    const gateway = this.#parts.gateways.of(environment);
    if (gateway !== undefined) return gateway;
    const message = `the ${environment} app ${appId} has no payment gateway (GATEWAY_NOT_CONFIGURED)`;
    throw new Fault('unavailable', message, { retryable: true });
  }

  async #refund({ paymentId, refundId, cause }: RefundJobData): Promise<string> {
    const { commands } = this.#parts;
    const { state } = await commands.load(paymentAggregate, paymentId);
    assertDefect(state.status !== 'none', `${refundId} is of a payment that is not there`);
    if (state.status === 'REFUNDED') return 'settled_before';
    const amount = refundable(state);
    const reference = state.subscriptionId;
    await this.#gatewayOf(cause).refund({ key: refundId, chargeKey: paymentId, reference, amount });
    await this.#command(paymentId, cause, (now) => ({
      kind: 'RefundPayment',
      refundId,
      amount,
      now,
    }));
    return 'refunded';
  }

  async #command(
    paymentId: string,
    cause: Cause,
    commandAt: (now: string) => PaymentCommand,
  ): Promise<RequestedPayment> {
    const { commands, apps } = this.#parts;
    const context = contextFrom(cause, apps.now(cause));
    const command = commandAt(context.now);
    const result = await commands.execute(paymentAggregate, paymentId, command, context);
    assertDefect(
      result.accepted,
      `${command.kind} of ${paymentId}: ${result.accepted ? '' : result.rejection.code}`,
    );
    assertDefect(result.state.status !== 'none', `${paymentId} is not there after ${command.kind}`);
    return result.state;
  }

  async #askLater(job: Job<PaymentJobData>, data: ChargeJobData, token: string): Promise<never> {
    const questions = data.questions + 1;
    if (questions > PENDING_QUESTIONS) {
      throw new UnrecoverableError(`${data.charge.paymentId} stays pending at the gateway`);
    }
    const ageMs = Date.now() - job.timestamp;
    const delayMs = Math.max(PENDING_ASK_BASE_MS, ageMs * PENDING_ASK_FRACTION);
    await ofRedis(job.updateData({ ...data, questions }));
    await ofRedis(job.moveToDelayed(Date.now() + Math.min(delayMs, PENDING_ASK_CAP_MS), token));
    throw new DelayedError();
  }
}
