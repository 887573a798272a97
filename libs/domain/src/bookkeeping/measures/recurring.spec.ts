import { describe, expect, it } from 'vitest';
import type { Period } from '../../calendar/index.js';
import { asked, boughtYear, MID } from '../../subscription/spec-support/changes.js';
import {
  canceled,
  created,
  createdOnTrial,
  failed,
  renewed,
  requested,
} from '../../subscription/spec-support/subscriptions.js';
import type { SubscriptionEvent } from '../../subscription/index.js';
import { monthlyMinor } from './recurring.js';
import { SubscriptionMeasures } from './subscription-measures.js';

function measure(...events: SubscriptionEvent[]) {
  const measures = new SubscriptionMeasures();
  return events.map((event, at) =>
    measures.take({ ...event, id: `e${at}`, streamName: 'subscription-sub_1' }),
  );
}

const kinds = (...events: SubscriptionEvent[]) =>
  measure(...events).map((one) =>
    one?.movements.map(
      ({ kind, beforeMinor, afterMinor }) => `${kind} ${afterMinor - beforeMinor}`,
    ),
  );
const expired = (
  cause: 'period_ended' | 'grace_ended',
): Extract<SubscriptionEvent, { type: 'subscription.expired.v1' }> => ({
  type: 'subscription.expired.v1',
  data: { cause, expiredAt: MID, canceledAt: null },
});

/** rules/finance 40 */
describe('the recurring revenue of a subscription', () => {
  it.each<[string, Period, bigint]>([
    ['1200', { value: 1, unit: 'year' }, 100n],
    ['1000', { value: 2, unit: 'year' }, 42n],
    ['999', { value: 1, unit: 'month' }, 999n],
    ['100', { value: 3, unit: 'month' }, 33n],
    ['300', { value: 1, unit: 'week' }, 1_300n],
    ['100', { value: 30, unit: 'day' }, 101n],
    // Ties go to the even unit.
    ['6', { value: 1, unit: 'year' }, 0n],
    ['18', { value: 1, unit: 'year' }, 2n],
  ])('of %s for %o is %s a month', (amountMinor, period, monthly) => {
    const price = { amountMinor, currency: 'EUR' };
    const of = { plan: '', price, period, includedTaxRate: '' };
    expect(monthlyMinor({ ...of, hasPaid: true, status: 'running' })).toBe(monthly);
    expect(monthlyMinor({ ...of, hasPaid: true, status: 'canceled' })).toBe(monthly);
    expect(monthlyMinor({ ...of, hasPaid: false, status: 'running' })).toBe(0n);
    expect(monthlyMinor({ ...of, hasPaid: true, status: 'ended' })).toBe(0n);
  });

  it('leaves out the tax that the price contains', () => {
    const price = { amountMinor: '1190', currency: 'EUR' };
    const of = { plan: '', price, period: { value: 1, unit: 'month' } as const };
    const paid = { ...of, hasPaid: true, status: 'running' } as const;
    expect(monthlyMinor({ ...paid, includedTaxRate: '0.19' })).toBe(1_000n);
    expect(monthlyMinor({ ...paid, includedTaxRate: '' })).toBe(1_190n);
  });

  it('is new with the first charge: a trial counts nothing, also past due behind it', () => {
    expect(kinds(created)).toEqual([['new 999']]);
    expect(kinds(createdOnTrial, failed(1), renewed(2))).toEqual([
      undefined,
      undefined,
      ['new 999'],
    ]);
    expect(kinds(createdOnTrial, expired('grace_ended'))).toEqual([undefined, undefined]);
    expect(kinds(boughtYear)).toEqual([['new 1117']]);
  });

  it('stays within grace and until a canceled period is over, and churns at the end', () => {
    const [, requestedBy, failedBy, endedBy] = measure(
      ...[created, requested(), failed(3), expired('grace_ended')],
    );
    expect([requestedBy, failedBy]).toEqual([undefined, undefined]);
    expect(endedBy).toMatchObject({
      movements: [{ kind: 'churn', beforeMinor: 999n, afterMinor: 0n }],
      lost: {
        cause: 'grace_ended',
        attempt: 1,
        failureEventId: 'e2',
        reason: 'insufficient_funds',
      },
    });
    const [, canceledBy, backBy] = measure(created, canceled(MID), {
      type: 'subscription.reactivated.v1',
      data: { reactivatedAt: MID },
    });
    expect(canceledBy).toMatchObject({ movements: [], willChurn: new Map([['USD', 999n]]) });
    expect(backBy).toMatchObject({ movements: [], willChurn: new Map([['USD', -999n]]) });
    const [, , ended] = measure(created, canceled(MID), expired('period_ended'));
    expect(ended).toMatchObject({ lost: null, willChurn: new Map([['USD', -999n]]) });
  });

  it('expands and contracts with the plan, in both currencies where that changes', () => {
    const [request] = asked;
    const plan = request?.type === 'subscription.change_requested.v1' ? request.data.plan : null;
    if (plan === null) throw new Error('no plan is asked for');
    const changed = (more: Partial<typeof plan>): SubscriptionEvent => ({
      type: 'subscription.plan_changed.v1',
      data: {
        ...{ ...plan, ...more, linkId: '', payment: null, refundedPaymentId: null },
        ...{ paymentMethod: '', changedAt: MID },
      },
    });
    const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
    const euros = changed({ price: { amountMinor: '500', currency: 'EUR' } });
    expect(
      kinds(created, changed({}), changed({ price: usd('0') }), changed({ price: usd('1') })),
    ).toEqual([['new 999'], ['expansion 1000'], ['contraction -1999'], ['reactivation 1']]);
    expect(kinds(created, euros)[1]).toEqual(['contraction -999', 'expansion 500']);
  });
});
