import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { PaymentLine } from '../../payment/index.js';
import { toMajor } from '../../money/index.js';
import { recognize } from '../recognize.js';
import type { AccountingPeriod, JournalRow } from '../journal-row.js';
import { balances, PaymentLedger } from '../spec-support/ledger.js';
import {
  charge,
  covers,
  eur,
  last,
  month,
  NOON,
  origin,
  paid,
  tax,
} from '../spec-support/paid-month.js';

/** rules/finance 2 to 5, with the examples that stand there. */
const RULES = readFileSync('docs/rules/finance.md', 'utf8');
const earnedIn = ({ schedules }: PaymentLedger, period: AccountingPeriod) =>
  recognize(schedules, { period, bookedAt: covers.end });

/** As the examples of the rules show entries. */
function print(...rows: readonly JournalRow[]): string {
  const lines = rows.map(({ effectiveOn, period, account, side, amountMinor, currency }) => {
    const amount = toMajor({ amountMinor: String(amountMinor), currency });
    return `${effectiveOn}  ${period}  ${account.padEnd(36)}  ${side.padEnd(6)}  ${amount.padStart(6)} ${currency}`;
  });
  return `${lines.join('\n')}\n`;
}

describe('the examples of the rules', () => {
  it('a month that is paid, and earned by the day', () => {
    const ledger = paid();
    expect(RULES).toContain(print(...last(ledger)));
    expect(RULES).toContain(print(...earnedIn(ledger, '2026-01'), ...earnedIn(ledger, '2026-02')));
  });

  it('a refund before the end', () => {
    const ledger = paid();
    ledger.refund('ref_1', `2026-02-01${NOON}`, '2380');
    expect(RULES).toContain(print(...last(ledger)));
  });

  it('a dispute that is lost, in a month that was closed', () => {
    const ledger = paid();
    const dispute = { disputeId: 'dsp_1', amount: ledger.payment.amount };
    ledger.command({ kind: 'OpenDispute', ...dispute, now: `2026-01-20${NOON}` });
    ledger.closedThrough = '2026-01';
    ledger.command({ kind: 'CloseDispute', ...dispute, won: false, now: `2026-01-31${NOON}` });
    expect(RULES).toContain(print(...last(ledger)));
  });

  it('a subscription that ends at once', () => {
    const ledger = paid();
    ledger.expire(`2026-01-25${NOON}`);
    expect(RULES).toContain(print(...last(ledger)));
    expect(earnedIn(ledger, '2026-02')).toEqual([]);
  });

  it('a late capture of a charge that was given up', () => {
    const ledger = new PaymentLedger();
    ledger.charge(charge(month, tax), covers.start);
    ledger.command({ kind: 'GiveUpPayment', now: covers.start, wallNow: covers.start });
    ledger.capture(`2026-01-18${NOON}`);
    expect(RULES).toContain(print(...last(ledger)));
    ledger.refund('ref_1', `2026-01-19${NOON}`);
    expect(balances(ledger.rows)).toEqual({});
  });
});

describe('a capture', () => {
  it('has the plan, the time, the country and the rate of each line', () => {
    const [clearing, deferred, owed] = last(paid());
    expect(clearing).toMatchObject({ gatewayRef: 'pay_1', rule: 'rules.v1/captured', number: 1 });
    const time = { coversFrom: '2026-01-15', coversUntil: '2026-02-15' };
    expect(deferred).toMatchObject({ plan: 'plan_1', country: 'DE', number: 2, ...time });
    expect(deferred).toMatchObject({ payment: 'pay_1', subscription: 'sub_1', order: '' });
    // The numbers between are those of the recognition.
    expect(owed).toMatchObject({ taxRate: '0.19', taxRatesVersion: 3, number: 4 });
  });

  it('earns items at once, or over their life where the policy has one', () => {
    const item = (itemId: string, amount: bigint): PaymentLine => ({
      ...{ kind: 'item', amount: eur(amount), covers: null, origin: null },
      item: { itemId, quantity: 1, price: eur(amount) },
    });
    const itemClasses = [{ match: { prefix: 'skin-' }, name: 'durable', lifeDays: 31 }];
    const ledger = paid([item('gems', 500n), item('skin-1', 3_100n)], { zone: 'UTC', itemClasses });
    const [, gems, skin] = last(ledger);
    expect(gems).toMatchObject({ account: 'income:items', coversUntil: null });
    const time = { coversFrom: '2026-01-15', coversUntil: '2026-02-15' };
    expect(skin).toMatchObject({
      account: 'liabilities:deferred-items',
      itemClass: 'durable',
      ...time,
    });
    expect(earnedIn(ledger, '2026-01')[1]).toMatchObject({
      account: 'income:items',
      amountMinor: 1_700n,
    });
  });

  it('earns the part of a credit that is lost, and takes back the unused time that paid', () => {
    const old = origin('plan_0');
    const ledger = paid([
      month,
      { kind: 'proration_credit', amount: eur(-1_000n), covers, origin: old },
      { kind: 'credit_forfeited', amount: eur(400n), covers, origin: old },
    ]);
    expect(balances(last(ledger))).toMatchObject({
      ...{ 'income:subscriptions': 400n, 'liabilities:deferred-subscriptions': 2_100n },
    });
    const credit = earnedIn(ledger, '2026-01').filter(({ plan }) => plan === 'plan_0');
    expect(credit.map(({ side, amountMinor }) => [side, amountMinor])).toEqual([
      ['credit', 548n],
      ['debit', 548n],
    ]);
  });

  it('counts the days of the zone of the app', () => {
    const ledger = paid([month], { zone: 'Pacific/Kiritimati', itemClasses: [] });
    expect(last(ledger)[0]).toMatchObject({ effectiveOn: '2026-01-16' });
  });
});

describe('money that comes back', () => {
  it('after the end is out of what was earned', () => {
    const ledger = paid();
    ledger.refund('ref_1', `2026-03-01${NOON}`);
    expect(balances(last(ledger))).toEqual({
      ...{ 'assets:gateway-clearing': 3_689n, 'income:refunds': -3_100n },
      'liabilities:tax-payable:DE': -589n,
    });
  });

  it('by a refund that fails afterwards is earned over the days that are left', () => {
    const ledger = paid();
    ledger.refund('ref_1', `2026-02-01${NOON}`);
    expect(earnedIn(ledger, '2026-02')).toEqual([]);
    ledger.command({ kind: 'ReverseRefund', refundId: 'ref_1', now: `2026-02-08${NOON}` });
    expect(balances(ledger.rows)).toEqual(balances(paid().rows));
    expect(
      last(ledger).find(({ account }) => account.startsWith('liabilities:deferred')),
    ).toMatchObject({
      ...{ coversFrom: '2026-02-08', coversUntil: '2026-02-15', amountMinor: 1_400n },
    });
    expect(earnedIn(ledger, '2026-02')).toMatchObject([
      { amountMinor: 1_400n },
      { side: 'credit' },
    ]);
  });

  it('and fails after the subscription has ended is earned at once', () => {
    const ledger = paid();
    ledger.refund('ref_1', `2026-02-01${NOON}`);
    ledger.expire(`2026-02-02${NOON}`);
    ledger.command({ kind: 'ReverseRefund', refundId: 'ref_1', now: `2026-02-08${NOON}` });
    expect(balances(last(ledger))['income:subscriptions']).toBe(1_400n);
  });

  it('by a won dispute is as if there had been none', () => {
    const ledger = paid();
    const dispute = { disputeId: 'dsp_1', amount: ledger.payment.amount, now: `2026-01-20${NOON}` };
    ledger.command({ kind: 'OpenDispute', ...dispute });
    expect(balances(ledger.rows)).toMatchObject({ 'assets:disputes-receivable': -3_689n });
    ledger.command({ kind: 'CloseDispute', ...dispute, won: true });
    expect(balances(ledger.rows)).toEqual(balances(paid().rows));
    expect(last(ledger)[0]).toMatchObject({ reason: 'won', gatewayRef: 'dsp_1' });
  });

  it('of a payment that buys nothing was the player’s from then on', () => {
    const ledger = paid();
    ledger.command({ kind: 'LeavePaymentUnapplied', now: `2026-02-01${NOON}` });
    expect(balances(last(ledger))).toEqual({
      ...{ 'income:refunds': -1_700n, 'liabilities:deferred-subscriptions': -1_400n },
      ...{ 'liabilities:player-credit': 3_689n, 'liabilities:tax-payable:DE': -589n },
    });
    ledger.refund('ref_1', `2026-02-02${NOON}`);
    expect(balances(last(ledger))).toEqual({
      ...{ 'assets:gateway-clearing': 3_689n, 'liabilities:player-credit': -3_689n },
    });
  });

  it.each([
    ['order', 'order-ord_1', { paymentId: 'pay_1', paymentRevision: 1, recordedAt: covers.start }],
    [
      'subscription',
      'subscription-sub_1',
      { paymentId: 'pay_1', paymentRevision: 1, captured: true, recordedAt: covers.start },
    ],
  ])('is the player’s when its %s notes that it came too late', (kind, stream, data) => {
    const ledger = paid();
    ledger.append({ type: `${kind}.late_outcome_recorded.v1`, data } as never, stream);
    expect(balances(ledger.rows)).toEqual({
      ...{ 'assets:gateway-clearing': -3_689n, 'liabilities:player-credit': 3_689n },
    });
  });
});
