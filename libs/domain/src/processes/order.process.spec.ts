import { describe, expect, it } from 'vitest';
import type { CreatedOrder } from '../order/index.js';
import { follow, REVISION, T0, T1, usd } from './spec-support/purchase.js';

const paid = {
  ...{ orderId: 'ord_1', player: '5f2a9c04d1e84b7796ab30c2d4e5f601' },
  ...{ status: 'PAID', paidBy: 'pay_1', paidAt: T0, lateCaptures: [] },
  quote: { amount: usd('1190'), tax: null, regionCode: 'DE' },
  totalRefunded: usd('0'),
} as const;
const tax = (amount: string) => ({
  amount: usd(amount),
  inclusive: true,
  rate: { rate: '0.19', version: 1 },
});
const record = (amount: string, now: string) => ({
  process: 'record_order_of_player',
  steps: [
    {
      ...{ kind: 'loyalty', id: paid.player },
      command: {
        kind: 'RecordOrder',
        order: {
          ...{ orderId: 'ord_1', orderRevision: REVISION },
          ...{ spent: usd(amount), paidAt: T0 },
        },
        now,
      },
    },
  ],
});
const recordedBy = (type: string, data: object, order: Partial<CreatedOrder> = {}) =>
  follow(type, data, { ...paid, ...order });

describe('the charge of an order', () => {
  it('says the region whose rates its tax was computed by: that of the click', () => {
    const attempted = { quote: paid.quote, attemptedAt: T0, wallAttemptedAt: T0 };
    const items = [{ itemId: 'gems', quantity: 1, price: usd('1190') }];
    const order = { ...paid, items, regionCode: 'FR', personal: {} };
    expect(follow('order.attempted.v1', attempted, order)).toMatchObject([
      { steps: [{ kind: 'charge', charge: { regionCode: 'DE' } }] },
    ]);
  });
});

/** rules/loyalty 2 */
describe('record an order of a player', () => {
  it('as what was paid without tax', () => {
    const data = { paidAt: T0 };
    expect(recordedBy('order.paid.v1', data)).toEqual([record('1190', T0)]);
    const quote = { ...paid.quote, tax: tax('190') };
    expect(recordedBy('order.paid.v1', data, { quote })).toEqual([record('1000', T0)]);
  });

  it('less what was refunded, and never as less than nothing', () => {
    const on = 'order.refund_recorded.v1';
    const quote = { ...paid.quote, tax: tax('190') };
    const refunded = (amount: string) =>
      recordedBy(on, { recordedAt: T1 }, { quote, totalRefunded: usd(amount) });
    expect(refunded('400')).toEqual([record('600', T1)]);
    expect(refunded('1190')).toEqual([record('0', T1)]);
  });

  it('less what was lost in a dispute', () => {
    const on = 'order.dispute_recorded.v1';
    const data = { recordedAt: T1, closed: true };
    expect(recordedBy(on, data, { totalRefunded: usd('500') })).toContainEqual(record('690', T1));
  });

  it('that bought something: nothing is recorded of a payment that came too late', () => {
    const late = { status: 'CANCELED', paidBy: null, paidAt: null } as const;
    expect(recordedBy('order.refund_recorded.v1', { recordedAt: T1 }, late)).toEqual([]);
  });
});
