import { isCreditRefundId } from '#domain/ids';
import type { Money } from '#domain/money';
import type { PaymentSummary } from '#domain/payment';

export const REFUND_STATUSES = ['PENDING', 'SUCCEEDED', 'FAILED'] as const;
/** Why a payment gave something back by itself; the studio has asked for every other one. */
export const REFUND_REASONS = ['', 'unused_credit'] as const;

type RefundStatus = (typeof REFUND_STATUSES)[number];

/**
 * The refunds of a payment on the wire (rules/payments 13): those that have ended, in their order, then those on their
 * way. The amount of a failed one is `""`.
 */
export function renderRefunds({
  paymentId,
  refundIds,
  madeRefunds,
  openRefunds,
}: Pick<PaymentSummary, 'paymentId' | 'refundIds' | 'madeRefunds' | 'openRefunds'>) {
  const render = (
    refundId: string,
    status: RefundStatus,
    given?: { readonly amount: Money; readonly tax: Money | null },
  ) => ({
    refundId,
    status,
    amountCents: given?.amount.amountMinor ?? '',
    totalTaxAmountCents: given === undefined ? '' : (given.tax?.amountMinor ?? '0'),
    reason: REFUND_REASONS[isCreditRefundId(refundId, paymentId) ? 1 : 0],
  });
  const ended = refundIds.map((id) => {
    const made = madeRefunds.find(({ refundId }) => refundId === id);
    return render(id, made === undefined ? 'FAILED' : 'SUCCEEDED', made);
  });
  return [...ended, ...openRefunds.map((open) => render(open.refundId, 'PENDING', open))];
}
