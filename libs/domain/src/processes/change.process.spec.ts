import { describe, expect, it } from '@jest/globals';
import type { ChangeAttempted, CreatedCheckoutLink, LinkedChange } from '../checkout-link/index.js';
import { noTaxRates } from '../pricing/index.js';
import { requestOnChangeAttempt } from './change.process.js';

/** What the subscription is asked for is what its link says (rules/lifecycle 11). */
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const plan = { planId: 'plan_2', price: usd('499'), period: { value: 1, unit: 'week' } } as const;
const NOW = '2027-02-14T10:00:00.000Z';
const change: LinkedChange = {
  ...{ kind: 'plan', subscriptionId: 'sub_1', amountMinor: null },
  ...{ restartsPeriod: true, unusedCredit: 'refuse' },
};
const link: CreatedCheckoutLink = {
  ...{ linkId: 'cl_1', appId: 'app_1', player: '', personal: {}, regionCode: '', language: '' },
  offer: { ...plan, planName: 'Weekly', planDescription: '', trial: null },
  ...{ change, status: 'attempting', attempts: [], paidBy: null, latePaymentIds: [] },
  ...{ returnUrl: '', createdAt: NOW, expiresAt: '2027-02-15T10:00:00.000Z' },
};
const attempted: ChangeAttempted['data'] = {
  ...{ attempt: 1, paymentMethod: 'pm_ok', subscriptionId: 'sub_1', paymentId: 'pay_1' },
  ...{ shown: usd('0'), quotedAt: NOW, attemptedAt: NOW, wallAttemptedAt: NOW },
};

describe('an attempt on the link of a change', () => {
  it('asks for the whole change', () => {
    const input = { data: attempted, state: link, revision: 1, taxRates: noTaxRates };
    const { amountMinor, restartsPeriod, unusedCredit } = change;
    expect(requestOnChangeAttempt(input)).toMatchObject([
      { command: { wanted: { plan, amountMinor, restartsPeriod, unusedCredit } } },
    ]);
  });
});
