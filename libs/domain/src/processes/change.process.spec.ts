import { describe, expect, it } from 'vitest';
import type { ChangeAttempted, CreatedCheckoutLink, LinkedChange } from '../checkout-link/index.js';
import { captured, follow, REVISION, subscription } from './spec-support/purchase.js';

/** The link's change is the one that the subscription is asked for (rules/lifecycle 11). */
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const plan = { planId: 'plan_2', price: usd('499'), period: { value: 1, unit: 'week' } } as const;
const NOW = '2027-02-14T10:00:00.000Z';
const change: LinkedChange = {
  ...{ kind: 'plan', subscriptionId: 'sub_1', amountMinor: null },
  ...{ restartsPeriod: true, unusedCredit: 'refuse' },
};
const link: CreatedCheckoutLink = {
  ...{ linkId: 'cl_1', appId: 'app_1', player: '', personal: {}, regionCode: '', language: '' },
  offer: { ...plan, planName: 'Weekly', planDescription: '', trial: null, bounds: null },
  ...{ change, status: 'attempting', attempts: [], paidBy: null, latePaymentIds: [] },
  ...{ returnUrl: '', createdAt: NOW, expiresAt: '2027-02-15T10:00:00.000Z' },
};
const attempted: ChangeAttempted['data'] = {
  ...{ attempt: 1, paymentMethod: 'pm_ok', subscriptionId: 'sub_1', paymentId: 'pay_1' },
  ...{ shown: usd('0'), quotedAt: NOW, attemptedAt: NOW, wallAttemptedAt: NOW },
};
const ask = (asked: CreatedCheckoutLink) =>
  follow('checkout_link.change_attempted.v1', attempted, asked).flatMap(({ steps }) => steps);

describe('an attempt on the link of a change', () => {
  it('asks for the whole change', () => {
    const { amountMinor, restartsPeriod, unusedCredit } = change;
    expect(ask(link)).toMatchObject([
      { command: { wanted: { plan, amountMinor, restartsPeriod, unusedCredit } } },
    ]);
  });
});

describe('the charge of a change', () => {
  it('says the region whose rates its tax was computed by: that of the subscription', () => {
    const data = { plan: null, lines: captured.lines, requestedAt: NOW };
    expect(follow('subscription.change_requested.v1', data, subscription)).toMatchObject([
      { steps: [{ kind: 'charge', charge: { regionCode: 'US' } }] },
    ]);
  });
});

describe('an attempt on the link of a change to a plan that is bounded for its player', () => {
  const bounds = { trialOncePerPlayer: false, onePerPlayer: true, exclusiveGroup: '' };
  const bounded = { ...link, offer: { ...link.offer, bounds } };

  it('claims the plan, and asks for the change once that is granted', () => {
    const asked = { claimId: 'cl_1/1', subscriptionId: 'sub_1', linkId: 'cl_1', attempt: 1 };
    const claim = { ...asked, planId: 'plan_2', bounds, hasTrial: false };
    expect(ask(bounded)).toMatchObject([
      { kind: 'player_plans', command: { kind: 'ClaimPlan', claim, now: NOW } },
    ]);
    const progress = { challenge: null, decline: null, isGranted: true, refusal: null };
    const granted = { ...bounded, attempts: [{ ...attempted, ...progress }] };
    const data = { attempt: 1, grantedAt: NOW };
    const [unbounded] = ask(link);
    const [output] = follow('checkout_link.claim_granted.v1', data, granted);
    expect(output?.steps).toMatchObject([unbounded]);
    expect(output?.steps).toMatchObject([{ command: { claimId: 'cl_1/1' } }]);
  });
});

describe('a changed plan', () => {
  const unusedCredit = { refunded: usd('400') };
  const changed = { linkId: '', refundedPaymentId: 'pay_2', unusedCredit, changedAt: NOW };
  const steps = (data: object) =>
    follow('subscription.plan_changed.v1', data, subscription).find(
      ({ process }) => process === 'refund_on_plan_change',
    )?.steps;

  it('gives unused time back, by a refund of its own', () => {
    const refundId = `pay_2.unused.${REVISION}`;
    const command = { kind: 'RefundUnusedCredit', refundId, price: usd('400'), now: NOW };
    expect(steps(changed)).toEqual([{ kind: 'payment', id: 'pay_2', command }]);
    expect(steps({ ...changed, refundedPaymentId: null })).toEqual([]);
  });

  it('records that this was not given back, once', () => {
    const [paymentId, amount] = ['pay_2', usd('400')];
    const data = { refundId: `${paymentId}.unused.3`, amount, failedAt: NOW };
    const noted = { paymentId, paymentRevision: REVISION };
    const command = { kind: 'RecordFailedRefund', ...noted, amount, now: NOW };
    const commandId = `record_refund ${paymentId}/${REVISION}`;
    const id = 'sub_1';
    expect(follow('payment.refund_failed.v1', data, captured)).toEqual([
      { process: 'return_again_on_refused_return', steps: [] },
      {
        process: 'record_failed_credit_refund',
        steps: [{ kind: 'subscription', id, command, commandId }],
      },
    ]);
  });
});
