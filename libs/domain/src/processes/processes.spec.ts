import { describe, expect, it } from '@jest/globals';
import type { CreatedCheckoutLink } from '../checkout-link/index.js';
import type { RequestedPayment } from '../payment/index.js';
import { noTaxRates, type TaxRates } from '../pricing/index.js';
import { DEFAULT_DUNNING, type StartedSubscription } from '../subscription/index.js';
import {
  acceptOnInitialCapture,
  chargeOnCheckoutAttempt,
  refundOnLateCheckoutCapture,
  reopenLinkOnInitialDecline,
  subscribeOnPaidLink,
} from './checkout.process.js';
import {
  chargeOnRenewalRequest,
  refundOnLateRenewalCapture,
  settleOnRenewalOutcome,
} from './renewal.process.js';

/** Given an event and the state that it left, these steps follow: the same ones each time it is seen. */
const T0 = '2027-01-31T10:00:00.000Z';
const T1 = '2027-01-31T10:00:01.000Z';
const price = { amountMinor: '999', currency: 'USD' };
const period = { value: 1, unit: 'month' } as const;
const decline = { reason: 'do_not_honor', declineClass: 'soft', rawDeclineCode: '05' } as const;
const usd = (amountMinor: string) => ({ amountMinor, currency: 'USD' });
const taxRates: TaxRates = {
  versions: [
    {
      version: 1,
      rates: [{ country: 'US', rate: '0.05', inclusive: false }],
      effectiveFrom: T0,
      setBy: 'operator:fin',
      setAt: T0,
    },
  ],
};
const attempted = {
  attempt: 2,
  paymentMethod: 'pm_ok',
  subscriptionId: 'sub_1',
  paymentId: 'pay_2',
  attemptedAt: T0,
  wallAttemptedAt: T0,
};
const link: CreatedCheckoutLink = {
  status: 'attempting',
  linkId: 'link_1',
  appId: 'app_1',
  externalAccountId: 'player-1',
  offer: {
    planId: 'plan_1',
    planName: 'Gold',
    planDescription: '',
    price,
    period,
    trial: null,
  },
  regionCode: 'US',
  referenceId: 'order-7',
  metadata: { campaign: 'launch' },
  createdAt: T0,
  expiresAt: '2027-02-01T10:00:00.000Z',
  attempts: [{ ...attempted, decline: null }],
  paidBy: null,
  latePaymentIds: [],
};
const charge = {
  paymentId: 'pay_2',
  appId: 'app_1',
  externalAccountId: 'player-1',
  subscriptionId: 'sub_1',
  checkoutLinkId: 'link_1',
  amount: price,
  tax: null,
  taxInclusive: false,
  context: 'INITIAL',
  paymentMethod: 'pm_ok',
  dueAt: T0,
  attempt: 2,
  metadata: { campaign: 'launch' },
} as const;
const pending: RequestedPayment = {
  ...charge,
  status: 'PENDING',
  requestedAt: T0,
  updatedAt: T0,
  pendingSince: null,
  capturedAt: null,
  failedAt: null,
  decline: null,
  method: { paymentMethodSubType: '', issuerBank: '' },
  totalRefunded: { amountMinor: '0', currency: 'USD' },
  refundIds: [],
  lastRefundAt: null,
  dispute: null,
};
const captured: RequestedPayment = {
  ...pending,
  status: 'SUCCEEDED',
  capturedAt: T1,
  updatedAt: T1,
};
const declined: RequestedPayment = {
  ...pending,
  status: 'FAILED',
  failedAt: T1,
  updatedAt: T1,
  decline,
};
const terms = {
  subscriptionId: 'sub_1',
  appId: 'app_1',
  externalAccountId: 'player-1',
  planId: 'plan_1',
  price,
  period,
  trial: null,
  paymentMethod: 'pm_ok',
  checkoutLinkId: 'link_1',
  regionCode: 'US',
  referenceId: 'order-7',
  metadata: { campaign: 'launch' },
};

describe('charge on checkout attempt', () => {
  it('charges the price that the link was made with', () => {
    expect(chargeOnCheckoutAttempt(link, attempted, noTaxRates)).toEqual([
      { kind: 'charge', charge },
    ]);
  });

  it('adds the tax of the region that the link is for', () => {
    expect(chargeOnCheckoutAttempt(link, attempted, taxRates)).toMatchObject([
      { charge: { amount: usd('1049'), tax: usd('50'), taxInclusive: false } },
    ]);
  });

  it('starts a trial without a charge, then uses up the link', () => {
    const trial = { value: 1, unit: 'week' } as const;
    const onTrial = { ...link, offer: { ...link.offer, trial } };
    const steps = chargeOnCheckoutAttempt(onTrial, { ...attempted, paymentId: null }, noTaxRates);
    expect(steps).toEqual([
      {
        kind: 'subscription',
        id: 'sub_1',
        command: {
          kind: 'CreateSubscription',
          terms: { ...terms, trial },
          initialPaymentId: null,
          now: T0,
        },
      },
      {
        kind: 'checkout_link',
        id: 'link_1',
        command: { kind: 'CompleteCheckout', subscriptionId: 'sub_1', now: T0 },
      },
    ]);
  });
});

describe('accept on initial capture', () => {
  it('asks the link: it knows which of its attempts counts', () => {
    const command = { kind: 'AcceptPayment', paymentId: 'pay_2', now: T1 };
    const steps = [{ kind: 'checkout_link', id: 'link_1', command }];
    expect(acceptOnInitialCapture(captured)).toEqual(steps);
  });

  it('says nothing of what is not captured', () => {
    expect(acceptOnInitialCapture(pending)).toEqual([]);
    expect(acceptOnInitialCapture(declined)).toEqual([]);
  });
});

describe('subscribe on paid link', () => {
  const paid = { paymentId: 'pay_2', paidAt: T1 };

  it('starts the subscription at the moment of the capture, then uses up the link', () => {
    expect(subscribeOnPaidLink({ ...link, paidBy: 'pay_2' }, paid)).toEqual([
      {
        kind: 'subscription',
        id: 'sub_1',
        command: { kind: 'CreateSubscription', terms, initialPaymentId: 'pay_2', now: T1 },
      },
      {
        kind: 'checkout_link',
        id: 'link_1',
        command: { kind: 'CompleteCheckout', subscriptionId: 'sub_1', now: T1 },
      },
    ]);
  });

  it('keeps the payment method that paid: that of the last attempt', () => {
    const other = { ...attempted, attempt: 3, paymentMethod: 'pm_other', decline: null };
    const [start] = subscribeOnPaidLink({ ...link, attempts: [...link.attempts, other] }, paid);
    expect(start).toMatchObject({ command: { terms: { paymentMethod: 'pm_other' } } });
  });
});

describe('reopen link on initial decline', () => {
  it('tells the link', () => {
    expect(reopenLinkOnInitialDecline(declined)).toEqual([
      {
        kind: 'checkout_link',
        id: 'link_1',
        command: { kind: 'DeclineCheckout', paymentId: 'pay_2', decline, now: T1 },
      },
    ]);
  });

  it('does nothing for what is not declined', () => {
    expect(reopenLinkOnInitialDecline(pending)).toEqual([]);
    expect(reopenLinkOnInitialDecline(captured)).toEqual([]);
  });
});

describe('charge on renewal request', () => {
  it('charges what was asked for, by the payment method of the subscription', () => {
    const subscription: StartedSubscription = {
      ...terms,
      paymentMethod: 'pm_renewal_declines',
      status: 'active',
      createdAt: T0,
      trialEnd: null,
      billingAnchor: T0,
      periodsPaid: 1,
      currentPeriodEnd: '2027-02-28T10:00:00.000Z',
      canceledAt: null,
      cancelAtPeriodEnd: false,
      expiredAt: null,
      dunning: null,
      pendingCharge: null,
      paymentIds: ['pay_2'],
    };
    const requested = {
      paymentId: 'pay_3',
      context: 'RENEWAL',
      amount: price,
      dueAt: '2027-02-28T10:00:00.000Z',
      attempt: 1,
      requestedAt: '2027-02-28T10:00:05.000Z',
      graceEndsAt: '2027-03-02T10:00:00.000Z',
    } as const;
    expect(chargeOnRenewalRequest(subscription, requested, noTaxRates)).toEqual([
      {
        kind: 'charge',
        charge: {
          ...charge,
          paymentId: 'pay_3',
          paymentMethod: 'pm_renewal_declines',
          context: 'RENEWAL',
          dueAt: '2027-02-28T10:00:00.000Z',
          attempt: 1,
        },
      },
    ]);
    const [taxed] = chargeOnRenewalRequest(subscription, requested, taxRates);
    expect(taxed).toMatchObject({
      charge: { amount: usd('1049'), tax: usd('50'), taxInclusive: false },
    });
  });
});

describe('settle on renewal outcome', () => {
  const dunning = DEFAULT_DUNNING;

  it.each([
    ['captured', captured, 'captured'],
    ['declined', declined, decline],
  ])('gives the subscription the word of the gateway: %s', (_word, payment, outcome) => {
    expect(settleOnRenewalOutcome(payment, dunning)).toEqual([
      {
        kind: 'subscription',
        id: 'sub_1',
        command: { kind: 'SettleRenewal', paymentId: 'pay_2', outcome, dunning, now: T1 },
      },
    ]);
  });

  it('says nothing while there is none: pending is not captured', () => {
    expect(settleOnRenewalOutcome(pending, dunning)).toEqual([]);
  });
});

describe('the refund of a capture that came too late', () => {
  const steps = [{ kind: 'refund', paymentId: 'pay_3', refundId: 'pay_3.late' }];

  it.each([
    ['a renewal', refundOnLateRenewalCapture, { recordedAt: T1 }],
    ['a checkout', refundOnLateCheckoutCapture, { recordedAt: T1 }],
  ])('of %s is made under one id for each payment', (_what, refund, at) => {
    const late = { paymentId: 'pay_3', captured: true, ...at };
    // Each is given the data of its own event.
    expect(refund(late as never)).toEqual(steps);
    expect(refund({ ...late, captured: false })).toEqual([]);
  });
});
