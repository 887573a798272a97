import type { Money } from '#domain/money';
import type { PaymentEvent } from '#domain/payment';
import type { SettlementRow } from '#domain/settlement';
import type { BookedCharge } from '#gateway';

type Category = SettlementRow['category'];

/** Of these rows ledger and gateway have the same amount, or something is wrong. */
const COMPARED: readonly Category[] = [
  'charge',
  'refund',
  'refund_failure',
  'dispute',
  'dispute_reversal',
];
/** Rows that the gateway alone decides about, each of which a person looks at. */
const UNEXPLAINED: readonly Category[] = [
  'charge_failure',
  'partial_capture_reversal',
  'other_adjustment',
];

export function isCompared({ category }: SettlementRow): boolean {
  return COMPARED.includes(category);
}

export function isUnexplained({ category }: SettlementRow): boolean {
  return UNEXPLAINED.includes(category);
}

/** The amount that the events of a payment give for a row; undefined where they have none. */
export function findInLedger(
  row: SettlementRow,
  events: readonly PaymentEvent[],
): Money | undefined {
  switch (row.category) {
    case 'charge': {
      if (!events.some(({ type }) => type === 'payment.captured.v1')) return undefined;
      return events.flatMap((event) =>
        event.type === 'payment.requested.v3' ? [event.data.amount] : [],
      )[0];
    }
    case 'refund':
      return negated(findRefund('payment.refunded.v1', row, events));
    case 'refund_failure':
      return findRefund('payment.refund_failed.v1', row, events);
    case 'dispute':
      return negated(findDispute(row, events));
    case 'dispute_reversal': {
      const isWon = events.some(
        (event) =>
          event.type === 'payment.dispute_closed.v1' &&
          event.data.disputeId === row.sourceId &&
          event.data.won,
      );
      return isWon ? findDispute(row, events) : undefined;
    }
    default:
      return undefined;
  }
}

function findRefund(
  type: 'payment.refunded.v1' | 'payment.refund_failed.v1',
  { refundId }: SettlementRow,
  events: readonly PaymentEvent[],
): Money | undefined {
  return events.flatMap((event) =>
    event.type === type && event.data.refundId === refundId ? [event.data.amount] : [],
  )[0];
}

function findDispute(
  { sourceId }: SettlementRow,
  events: readonly PaymentEvent[],
): Money | undefined {
  return events.flatMap((event) =>
    event.type === 'payment.dispute_opened.v1' && event.data.disputeId === sourceId
      ? [event.data.amount]
      : [],
  )[0];
}

/** The amount that the gateway's books give for a row; undefined where they have none. */
export function findInBooks(row: SettlementRow, charge: BookedCharge): Money | undefined {
  switch (row.category) {
    case 'charge':
      return charge.status === 'captured' ? charge.amount : undefined;
    case 'refund':
      return negated(charge.refunds.find(({ key }) => key === row.refundId)?.amount);
    case 'dispute':
      return negated(charge.disputes.find((one) => one.disputeId === row.sourceId)?.amount);
    case 'dispute_reversal':
      return charge.disputes.find((one) => one.disputeId === row.sourceId && one.won === true)
        ?.amount;
    default:
      return undefined;
  }
}

function negated(amount: Money | undefined): Money | undefined {
  if (amount === undefined) return undefined;
  const { amountMinor, currency } = amount;
  return { amountMinor: (-BigInt(amountMinor)).toString(), currency };
}
