import { Inject, Injectable } from '@nestjs/common';
import { deriveLateRefundId } from '#domain/ids';
import type { Money } from '#domain/money';
import { findOpenRefund, findReference } from '#domain/payment';
import type { PaymentGateways } from '#gateway';
import { assertDefect, type Log } from '#platform';
import { GATEWAYS, LOG } from '../../tokens.js';
import type { Causation } from '../causation.js';
import { requireGateway } from './app-gateway.js';
import { ended, type JobResult, pendingSince } from './job-result.js';
import { refundOnce } from './once-at-gateway.js';
import { PaymentCommands } from './payment-commands.js';
import type { RefundJobData } from './payment-jobs.js';

/** A refund that has no outcome, and whose charge it is. */
interface AskedRefund {
  readonly reference: string;
  readonly amount: Money;
  /** Of the charge: it names the gateway. */
  readonly paymentMethod: string;
  /** Of the refund's key. */
  readonly ageMs: number;
}

/** Gives back what was asked for by an event (rules/payments 13); its id is the gateway's idempotency key. */
@Injectable()
export class RefundAtGateway {
  constructor(
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    private readonly payments: PaymentCommands,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @throws Fault. */
  async run({ paymentId, refundId, causation }: RefundJobData): Promise<JobResult> {
    const open = await this.#findOpenRefund(paymentId, refundId, causation);
    if (open === undefined) return ended('settled_before');
    const { reference, amount } = open;
    const refund = { key: refundId, chargeKey: paymentId, reference, amount };
    const gateway = await requireGateway(this.gateways, causation, open);
    const outcome = await refundOnce(gateway, refund, open.ageMs);
    const { status } = outcome;
    if (status === 'pending') return pendingSince(causation);
    if (status === 'refused') {
      this.log.error({ paymentId, refundId, why: outcome.why }, 'the gateway refuses a refund');
    }
    const kind = status === 'refused' ? 'FailRefund' : 'ConfirmRefund';
    await this.payments.execute(paymentId, causation, (now) => ({ kind, refundId, now }));
    return ended(status);
  }

  /** The refund as it was asked for; a job that the release before this one made asks for it here. */
  async #findOpenRefund(
    paymentId: string,
    refundId: string,
    causation: Causation,
  ): Promise<AskedRefund | undefined> {
    const payment = await this.payments.load(paymentId);
    const reference = findReference(payment.purpose);
    const { paymentMethod } = payment;
    const open = findOpenRefund(payment, refundId);
    const ageMs = await this.payments.ageMs(payment, causation);
    if (open !== undefined) return { ...open, reference, paymentMethod, ageMs };
    if (payment.refundIds.includes(refundId)) return undefined;
    assertDefect(refundId === deriveLateRefundId(paymentId), `${refundId} was not asked for`);
    const asked = await this.payments.execute(paymentId, causation, (now) => ({
      kind: 'ReturnPayment',
      now,
    }));
    const late = findOpenRefund(asked.payment, refundId);
    return late && { ...late, reference, paymentMethod, ageMs };
  }
}
