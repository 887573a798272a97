import { describe, expect, it } from 'vitest';
import type { SandboxEvent } from './sandbox-account.js';
import { listRows } from './sandbox-report.js';

const at = (time: string) => `2026-01-${time}.000Z`;
const amount = { amountMinor: '999', currency: 'USD' };
const charged = (key: string, outcome: 'captured' | 'pending', time: string): SandboxEvent => ({
  type: 'sandbox.charged.v1',
  data: { key, paymentMethod: 'pm_ok', amount, offSession: false, outcome, at: at(time) },
});

/** The account as lines. */
function account(events: readonly SandboxEvent[], today = '2026-02-01'): string[] {
  return listRows(events, today).map(
    ({ transactionId, kind, gross, fee, payoutId }) =>
      `${transactionId} ${kind} ${gross.amountMinor} less ${fee.amountMinor} ${payoutId}`,
  );
}

describe("the sandbox's account of an app", () => {
  it('has charges, refunds and disputes with their fees, and a payout for each day', () => {
    const events: SandboxEvent[] = [
      charged('pay_1', 'captured', '30T10:00:00'),
      charged('pay_2', 'pending', '30T11:00:00'),
      { type: 'sandbox.settled.v1', data: { key: 'pay_2', at: at('31T11:00:00') } },
      {
        type: 'sandbox.refunded.v1',
        data: { key: 'ref_1', chargeKey: 'pay_1', amount, at: at('31T12:00:00') },
      },
      charged('pay_3', 'captured', '31T13:00:00'),
    ];
    expect(account(events)).toEqual([
      'txn_pay_1 charge 999 less 59 po_20260130_usd',
      'txn_po_20260130_usd payout -940 less 0 ',
      'txn_pay_2 charge 999 less 59 po_20260131_usd',
      'txn_ref_1 refund -999 less 0 po_20260131_usd',
      'txn_pay_3 charge 999 less 59 po_20260131_usd',
      'txn_po_20260131_usd payout -881 less 0 ',
    ]);
  });

  it('pays out no day that is not over, and none on which nothing is left', () => {
    const dispute = { disputeId: 'pay_1.1', chargeKey: 'pay_1', amount };
    const events: SandboxEvent[] = [
      charged('pay_1', 'captured', '30T10:00:00'),
      { type: 'sandbox.dispute_opened.v1', data: { ...dispute, at: at('30T12:00:00') } },
      {
        type: 'sandbox.dispute_closed.v1',
        data: { disputeId: 'pay_1.1', won: true, at: at('31T12:00:00') },
      },
    ];
    expect(account(events, '2026-01-31')).toEqual([
      'txn_pay_1 charge 999 less 59 ',
      'txn_pay_1.1 dispute -999 less 1500 ',
      'txn_pay_1.1_reversal dispute_reversal 999 less 0 ',
    ]);
  });
});
