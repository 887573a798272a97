import { Inject, Injectable } from '@nestjs/common';
import { type ChargeRequest, isOffSession } from '#domain/payment';
import type { ChargeOutcome, PaymentGateways } from '#gateway';
import { GATEWAYS } from '../../tokens.js';
import type { Causation } from '../causation.js';
import { requireGateway } from './app-gateway.js';
import { chargeOnce } from './once-at-gateway.js';
import { PaymentCommands } from './payment-commands.js';
import type { ChargeJobData } from './payment-jobs.js';

/**
 * Charges a payment (rules/lifecycle 8). Its id is the gateway's idempotency key, and every step before and
 * after is harmless when repeated.
 */
@Injectable()
export class ChargeAtGateway {
  constructor(
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    private readonly payments: PaymentCommands,
  ) {}

  /** @returns what came of it: `pending` is to be asked again. @throws Fault. */
  async run({ charge, causation }: ChargeJobData, failuresBefore: number): Promise<string> {
    const { paymentId } = charge;
    const { payment } = await this.payments.execute(
      paymentId,
      causation,
      (now) => ({ kind: 'RequestPayment', charge, now }),
      // Its id follows from what it is for, so that it is there only where this was begun before.
      { isNew: failuresBefore === 0 },
    );
    if (payment.status !== 'PENDING') return 'settled_before';
    const outcome = await this.#ask(charge, causation).catch(async (error: unknown) => {
      // An answer that was lost is there when asked again; a gateway that is down may stay so.
      if (failuresBefore > 0) await this.#leavePending(paymentId, causation);
      throw error;
    });
    const { status } = outcome;
    if (status === 'pending') {
      await this.#leavePending(paymentId, causation);
      return status;
    }
    await this.payments.execute(paymentId, causation, (now) =>
      status === 'captured'
        ? { kind: 'CapturePayment', method: outcome.method, now }
        : { kind: 'DeclinePayment', decline: outcome.decline, method: outcome.method, now },
    );
    return status;
  }

  async #ask(charge: ChargeRequest, causation: Causation): Promise<ChargeOutcome> {
    const { paymentId: key, purpose, paymentMethod, amount } = charge;
    const gateway = requireGateway(this.gateways, causation);
    const { subscriptionId: reference } = purpose;
    const offSession = isOffSession(purpose);
    const asked = { key, reference, paymentMethod, amount, offSession };
    return chargeOnce(gateway, asked, await this.payments.ageMs(causation));
  }

  /** What waits for the outcome, as a test clock does, learns that it takes its time. */
  async #leavePending(paymentId: string, causation: Causation): Promise<void> {
    await this.payments.execute(paymentId, causation, (now) => ({
      kind: 'LeavePaymentPending',
      now,
    }));
  }
}
