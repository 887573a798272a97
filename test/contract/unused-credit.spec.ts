import { describe, expect, it } from 'vitest';
import { Life } from './stories/life.js';

/** The fate of paid time that a change does not use up, by all pure parts together (rules/payments 20). */
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const weekly = {
  planId: 'plan_2',
  price: usd('300'),
  period: { value: 1, unit: 'week' },
} as const;
/** A day of four weeks is over: 9.63 are left of 9.99. */
const DAY_LATER = '2027-02-01T10:00:00.000Z';

function lifeWithRefund(): Life {
  const life = new Life(null);
  life.pay('pm_ok');
  life.advance(DAY_LATER);
  life.sent();
  return life;
}

const change = (life: Life) =>
  life.change(weekly, 'pm_ok', { restartsPeriod: true, unusedCredit: 'refund' });

const readData = ({ body }: { readonly body: string }) =>
  (JSON.parse(body) as { data: Record<string, unknown> }).data;

describe('unused time of a change', () => {
  it('goes back to the payment of the period, and its message says why', () => {
    const life = lifeWithRefund();
    expect(change(life)).toBeUndefined();
    const messages = life.messages();
    expect(messages.map(({ type }) => type)).toEqual(['subscription.updated', 'payment.refunded']);
    expect(messages.map(readData)).toMatchObject([
      { plan_id: 'plan_2' },
      { total_refunded: '6.63', refund_reason: 'unused_credit' },
    ]);
    expect(life.changeLink().status).toBe('completed');
  });

  it('goes back of the same payment again with a later change, as long as it can bear that', () => {
    const life = lifeWithRefund();
    change(life);
    const daily = {
      planId: 'plan_3',
      price: usd('100'),
      period: { value: 1, unit: 'day' },
    } as const;
    life.change(daily, 'pm_ok', { restartsPeriod: true, unusedCredit: 'refund' });
    expect(
      life
        .messages()
        .map(readData)
        .map((data) => data['total_refunded']),
    ).toEqual([...[undefined, '6.63', undefined, '8.63']]);
  });

  it('is not lost without a word where the gateway refuses the refund', () => {
    const life = lifeWithRefund();
    life.disputeNextRefund();
    change(life);
    const messages = life.messages();
    expect(messages.map(({ type }) => type)).toEqual([
      ...['subscription.updated', 'subscription.updated', 'dispute.opened'],
    ]);
    const [changed, failed] = messages.map(readData);
    const { payment_id, ...refused } = failed?.['refund_failed'] as Record<string, unknown>;
    expect([changed?.['refund_failed'], refused]).toEqual([
      undefined,
      { currency: 'USD', total: '6.63' },
    ]);
    expect(payment_id).toMatch(/^pay_/);
    life.closeDispute(true);
    expect(life.sent()).toEqual(['dispute.closed']);
    expect(life.subscription()).toMatchObject({ status: 'active', planId: 'plan_2' });
  });
});
