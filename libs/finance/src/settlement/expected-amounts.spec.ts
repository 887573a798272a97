import { describe, expect, it } from 'vitest';
import type { PaymentEvent } from '#domain/payment';
import type { SettlementRow } from '#domain/settlement';
import type { BookedCharge } from '#gateway';
import { findInBooks, findInLedger } from './expected-amounts.js';

const [amount, part] = [
  { amountMinor: '999', currency: 'USD' },
  { amountMinor: '400', currency: 'USD' },
];
const back = { amountMinor: '-400', currency: 'USD' };

/** As much of a row as is looked at. */
const row = (category: SettlementRow['category'], refundId = '', sourceId = '') =>
  ({ category, refundId, sourceId }) as SettlementRow;

const at = '2026-01-31T10:00:00.000Z';
/** As much of a payment's events as is looked at. */
const events = [
  { type: 'payment.requested.v3', data: { amount } },
  { type: 'payment.captured.v1', data: { capturedAt: at } },
  { type: 'payment.refunded.v1', data: { refundId: 'ref_1', amount: part, refundedAt: at } },
  { type: 'payment.refund_failed.v1', data: { refundId: 'ref_2', amount: part, failedAt: at } },
  { type: 'payment.dispute_opened.v1', data: { disputeId: 'dp_1', amount: part, openedAt: at } },
  { type: 'payment.dispute_opened.v1', data: { disputeId: 'dp_2', amount: part, openedAt: at } },
  { type: 'payment.dispute_closed.v1', data: { disputeId: 'dp_1', won: true, closedAt: at } },
  { type: 'payment.dispute_closed.v1', data: { disputeId: 'dp_2', won: false, closedAt: at } },
] as PaymentEvent[];

const charge: BookedCharge = {
  ...{ key: 'pay_1', reference: 'sub_1', amount, status: 'captured', changedAt: at },
  refunds: [{ key: 'ref_1', amount: part }],
  disputes: [
    { disputeId: 'dp_1', amount: part, won: true },
    { disputeId: 'dp_2', amount: part, won: null },
  ],
};

const cases = [
  ['a charge', row('charge'), amount],
  ['a refund', row('refund', 'ref_1'), back],
  ['an unknown refund', row('refund', 'ref_9'), undefined],
  ['a dispute', row('dispute', '', 'dp_2'), back],
  ['a dispute that was won', row('dispute_reversal', '', 'dp_1'), part],
  ['a dispute that was not won', row('dispute_reversal', '', 'dp_2'), undefined],
  ['an unknown dispute', row('dispute', '', 'dp_9'), undefined],
  ['a fee', row('fee'), undefined],
] as const;

describe('the amount that a row of a payout should have', () => {
  it.each(cases)('by the ledger: %s', (_, wanted, found) => {
    expect(findInLedger(wanted, events)).toEqual(found);
  });

  it.each(cases)("by the gateway's books: %s", (_, wanted, found) => {
    expect(findInBooks(wanted, charge)).toEqual(found);
  });

  it('is that of a refund which failed, and none of a charge that was not captured', () => {
    expect(findInLedger(row('refund_failure', 'ref_2'), events)).toEqual(part);
    expect(findInLedger(row('charge'), events.slice(0, 1))).toBeUndefined();
    expect(findInBooks(row('charge'), { ...charge, status: 'pending' })).toBeUndefined();
  });
});
