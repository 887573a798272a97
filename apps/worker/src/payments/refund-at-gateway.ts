import { Inject, Injectable } from '@nestjs/common';
import { findOpenRefund, findReference } from '#domain/payment';
import type { PaymentGateways } from '#gateway';
import { assertDefect, type Log } from '#platform';
import { GATEWAYS, LOG } from '../tokens.js';
import { refundOnce, requireGateway } from './once-at-gateway.js';
import { ended, type JobResult, pendingSince } from './job-result.js';
import { PaymentCommands } from './payment-commands.js';
import type { RefundJobData } from './payment-jobs.js';

/** Makes the refund that an event asks for (rules/payments 13); its id is the gateway's idempotency key. */
@Injectable()
export class RefundAtGateway {
  constructor(
    @Inject(GATEWAYS) private readonly gateways: PaymentGateways,
    private readonly payments: PaymentCommands,
    @Inject(LOG) private readonly log: Log,
  ) {}

  /** @throws Fault. */
  async run({ paymentId, refundId, causation }: RefundJobData): Promise<JobResult> {
    const payment = await this.payments.load(paymentId);
    const open = findOpenRefund(payment, refundId);
    if (open === undefined) {
      assertDefect(payment.refundIds.includes(refundId), `${refundId} was not asked for`);
      return ended('settled_before');
    }
    const reference = findReference(payment.purpose);
    const refund = { key: refundId, chargeKey: paymentId, reference, amount: open.amount };
    const gateway = await requireGateway(this.gateways, causation, payment);
    const ageMs = await this.payments.ageMs(payment, causation);
    const outcome = await refundOnce(gateway, refund, ageMs);
    const { status } = outcome;
    if (status === 'pending') return pendingSince(causation);
    if (status === 'refused') {
      this.log.error({ paymentId, refundId, why: outcome.why }, 'the gateway refuses a refund');
    }
    const kind = status === 'refused' ? 'FailRefund' : 'ConfirmRefund';
    await this.payments.execute(paymentId, causation, (now) => ({ kind, refundId, now }));
    return ended(status);
  }
}
