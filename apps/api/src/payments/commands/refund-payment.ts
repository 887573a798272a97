import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { readBucket } from '#domain/ids';
import { type Payment, paymentAggregate } from '#domain/payment';
import { type CommandContext, commandWith, Ledger } from '#nest';
import { Refuses } from '#openapi';
import { assertDefect, newId } from '#platform';
import type { PaymentDto } from '../payment.dto.js';
import { RefundOutcome } from './refund-outcome.js';

/** Gives back a part of a payment, or all that is left of it (rules/payments 13). */
export class RefundPayment extends commandWith<
  { id: string; amountCents: string | undefined; context: CommandContext },
  PaymentDto
>() {}

/** The reasons of each operation that refunds a payment. */
export const REFUSES_REFUND = Refuses(
  'PAYMENT_NOT_FOUND',
  'PAYMENT_NOT_REFUNDABLE',
  'REFUND_EXCEEDS_REMAINING',
  'REFUND_REFUSED',
  'TOO_MANY_REFUNDS',
);

@CommandHandler(RefundPayment)
export class RefundPaymentHandler implements ICommandHandler<RefundPayment> {
  constructor(
    private readonly ledger: Ledger,
    private readonly outcome: RefundOutcome,
  ) {}

  async execute({ id, amountCents, context }: RefundPayment): Promise<PaymentDto> {
    const command = {
      kind: 'RequestRefund',
      refundId: newId('ref', context.now, readBucket(id)),
      ...(amountCents !== undefined && { amountMinor: amountCents }),
      now: context.now,
    } as const;
    const asked = await this.ledger.execute(paymentAggregate, id, command, context, {
      mayAct: (payment: Payment) => payment.status !== 'none' && payment.appId === context.appId,
      playerOf: (payment: Payment) => (payment.status === 'none' ? undefined : payment.player),
    });
    assertDefect(asked.state.status !== 'none', 'a refund accepted by no payment');
    // A repeated request asks for the refund that it asked for first, which is the last one of then.
    const refundId = asked.state.openRefunds.at(-1)?.refundId;
    assertDefect(refundId !== undefined, 'a refund that was asked for and is not open');
    return this.outcome.await(id, refundId, asked);
  }
}
