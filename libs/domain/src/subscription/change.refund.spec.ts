import { describe, expect, it } from 'vitest';
import { periodLines, type Payment, type PaymentEvent } from '../payment/index.js';
import { evolvePayment, noPayment } from '../payment/payment.state.js';
import { noTaxRates, taxedCharge, type TaxRates } from '../pricing/index.js';
import { onlyRate } from '../pricing/spec-support/rates.js';
import { quoteAsShown } from './change.hold.js';
import { quoteChange } from './change.quote.js';
import { findPayer, quoteRefund } from './change.refund.js';
import {
  ask,
  boughtYear as bought,
  bronze,
  decide,
  fold,
  gold,
  usd,
  wanted,
} from './spec-support/changes.js';
import { BOUGHT, created, createdOnTrial, noted } from './spec-support/subscriptions.js';
import type { SubscriptionEvent } from './subscription.events.js';

// Paid time that a change at once does not use up goes back to the card that paid for it (rules/payments 20).

/** 31 of 365 days are used. */
const NOW = '2027-03-03T10:00:00.000Z';
const monthly = { ...gold, price: usd('1700') };
const anew = wanted(monthly, { restartsPeriod: true, unusedCredit: 'refund' });
const GIVEN = {
  ...{ unused: usd('12262'), used: usd('1700') },
  ...{ forfeited: usd('0'), refunded: usd('10562') },
};
const at = { taxRates: noTaxRates, now: NOW };
const quoted = quoteChange(fold(bought), anew, at);

const makeRates = (rate: string, inclusive: boolean) =>
  onlyRate({ country: 'US', rate, inclusive });

/** The payment of the year, and its events since. */
function paid(taxRates: TaxRates = noTaxRates, ...since: readonly PaymentEvent[]): Payment {
  const charge = taxedCharge(usd('13400'), 'US', taxRates, BOUGHT);
  const period = { number: 1, start: BOUGHT, end: '2028-01-31T10:00:00.000Z' };
  const origin = { planId: 'plan_1', price: usd('13400'), lockedAt: BOUGHT };
  const events: PaymentEvent[] = [
    {
      type: 'payment.requested.v3',
      data: {
        ...{ paymentId: 'pay_0', appId: 'app_1', player: '', checkoutLinkId: 'link_1' },
        regionCode: 'US',
        purpose: { kind: 'subscription_period', subscriptionId: 'sub_1', period, attempt: 1 },
        ...{ amount: charge.amount, lines: periodLines(charge, period, origin) },
        ...{ paymentMethod: 'pm_ok', personal: {}, requestedAt: BOUGHT },
      },
    },
    {
      type: 'payment.captured.v1',
      data: { paymentMethodSubType: '', issuerBank: '', capturedAt: BOUGHT },
    },
    ...since,
  ];
  return events.reduce(evolvePayment, noPayment);
}

const refunded = (amountMinor: string): PaymentEvent[] => [
  {
    type: 'payment.refund_requested.v1',
    data: { refundId: 'ref_1', amount: usd(amountMinor), tax: null, requestedAt: NOW },
  },
  {
    type: 'payment.refunded.v1',
    data: { refundId: 'ref_1', amount: usd(amountMinor), refundedAt: NOW },
  },
];
const disputed: PaymentEvent = {
  type: 'payment.dispute_opened.v1',
  data: { disputeId: 'dsp_1', amount: usd('1'), openedAt: NOW },
};

describe('a change that gives unused time back', () => {
  it('takes it back from the credit by a line of its own, and shows what goes back', () => {
    expect(findPayer(quoted, fold(bought))).toBe('pay_0');
    expect(quoteRefund(quoted, paid())).toMatchObject({
      accepted: true,
      quote: {
        ...{ amount: usd('0'), refund: usd('10562'), plan: { unusedCredit: GIVEN } },
        lines: [
          { kind: 'proration_charge', amount: usd('1700') },
          { kind: 'proration_credit', amount: usd('-12262') },
          { kind: 'credit_refunded', amount: usd('10562') },
        ],
      },
    });
  });

  it('says in its event how much, and of which payment', () => {
    const data = { payment: null, refundedPaymentId: 'pay_0', unusedCredit: GIVEN };
    expect(decide([bought], ask(anew, { now: NOW }))).toMatchObject([
      { type: 'subscription.plan_changed.v1', data },
    ]);
  });

  it.each([
    ['was in the price', makeRates('0.22', true), '10562'],
    ['was added to it', makeRates('0.24', false), '13097'],
  ])('gives back the tax that %s, at the rate that was paid', (_which, rates, amount) => {
    expect(quoteRefund(quoted, paid(rates))).toMatchObject({ quote: { refund: usd(amount) } });
  });

  it.each([
    ['nothing is left to give back', wanted({ ...monthly, price: usd('99900') })],
    ['the plan waits for the end of the period', wanted(bronze)],
    ['the studio has named an amount', wanted(monthly, { amountMinor: '0' })],
  ])('is had without a refund where %s', (_where, change) => {
    const wish = { ...change, unusedCredit: 'refund' } as const;
    const free = quoteChange(fold(bought), wish, at);
    expect(findPayer(free, fold(bought))).toBeNull();
    expect(quoteRefund(free, noPayment)).toMatchObject({ quote: { refund: null } });
  });

  it('is refused with what would go back where its payment cannot bear that', () => {
    const code = 'subscription/unused_credit_not_refundable';
    const refusal = { accepted: false, rejection: { code, amount: usd('10562') } };
    const none: Payment = { ...fold(bought), ...noPayment };
    for (const payer of [none, paid(noTaxRates, disputed), paid(noTaxRates, ...refunded('2839'))]) {
      expect(quoteRefund(quoted, payer)).toEqual(refusal);
    }
    const enough = paid(noTaxRates, ...refunded('2838'));
    expect(quoteRefund(quoted, enough)).toMatchObject({ quote: { refund: usd('10562') } });
  });

  it('is refused where no payment is known of the period', () => {
    const free = { ...bought, data: { ...bought.data, initialPayment: null } } as typeof bought;
    const refusal = 'subscription/unused_credit_not_refundable';
    expect(decide([free], ask(anew, { now: NOW }))).toMatchObject([
      { type: 'subscription.change_refused.v1', data: { refusal } },
    ]);
  });

  it('holds for as long as its page does: later, less would go back', () => {
    const shown = (quotedAt: string | null) =>
      quoteAsShown(fold(bought), anew, { ...at, quotedAt });
    expect(shown('2027-03-03T09:45:00.000Z')).toMatchObject({ accepted: true });
    expect(shown(null)).toMatchObject({ accepted: true });
    const rejection = { code: 'subscription/amount_changed', amount: usd('0') };
    expect(shown('2027-03-03T09:44:59.000Z')).toEqual({ accepted: false, rejection });
  });
});

describe('a change that pays an open period first', () => {
  const due = '2027-02-28T10:00:00.000Z';
  const monthlyFirst = { ...created, data: { ...created.data, price: usd('13400') } };
  const open = [
    monthlyFirst,
    {
      type: 'subscription.renewal_failed.v2',
      data: {
        ...{ ...noted('pay_r'), dueAt: due, attempt: 1, reason: 'insufficient_funds' },
        ...{ declineClass: 'soft', failedAt: due, graceEndsAt: '2027-03-02T10:00:00.000Z' },
        nextRetryAt: '2027-03-01T10:00:00.000Z',
        schedule: { retriesAt: ['2027-03-01T10:00:00.000Z'], retriedDeclineClasses: ['soft'] },
      },
    },
  ] as SubscriptionEvent[];
  const weekly = {
    ...gold,
    price: usd('5000'),
    period: { value: 1, unit: 'week' },
  } as const;
  const wish = wanted(weekly, { restartsPeriod: true, unusedCredit: 'refund' });

  it('gives back of its own payment, once that is captured', () => {
    const now = '2027-02-28T10:00:00.000Z';
    const quote = quoteChange(fold(...open), wish, { ...at, now });
    expect(findPayer(quote, fold(...open))).toBeNull();
    expect(quoteRefund(quote, noPayment)).toMatchObject({
      quote: { amount: usd('13400'), refund: usd('8400') },
    });
    const request = decide(open, ask(wish, { now })) as SubscriptionEvent[];
    const settle = { kind: 'SettleChange', ...noted('pay_c'), outcome: 'captured', now };
    const data = { payment: null, refundedPaymentId: 'pay_c' };
    expect(decide([...open, ...request], settle)).toMatchObject([
      { type: 'subscription.renewed.v1', data: noted('pay_c') },
      { type: 'subscription.plan_changed.v1', data },
    ]);
  });
});

it('a change that is charged for by itself has nothing to give back', () => {
  const [request] = decide([bought], ask(wanted(gold, { amountMinor: '5' }))) as [
    Extract<SubscriptionEvent, { type: 'subscription.change_requested.v1' }>,
  ];
  const plan = { ...request.data.plan, unusedCredit: GIVEN };
  const wrong = { ...request, data: { ...request.data, plan } } as SubscriptionEvent;
  const settle = { kind: 'SettleChange', ...noted('pay_c'), outcome: 'captured', now: NOW };
  expect(() => decide([bought, wrong], settle)).toThrow('pay_c pays for a change');
});

describe('the payment of the present period', () => {
  const paidBy = (...events: SubscriptionEvent[]) => fold(...events).paidBy;
  const due = { dueAt: NOW, renewedAt: NOW, currentPeriodEnd: '2028-01-31T10:00:00.000Z' };
  const renewed: SubscriptionEvent = {
    type: 'subscription.renewed.v1',
    data: { ...noted('pay_r'), ...due },
  };

  it('is the first one, that of a renewal or that of a change, and none on trial', () => {
    expect(paidBy(createdOnTrial)).toBeNull();
    expect(paidBy(bought)).toBe('pay_0');
    expect(paidBy(bought, renewed)).toBe('pay_r');
    const asked = decide([bought], ask(wanted(gold, { amountMinor: '5' }), { now: NOW }));
    const events = [bought, ...(asked as SubscriptionEvent[])];
    const settle = { kind: 'SettleChange', ...noted('pay_c'), outcome: 'captured', now: NOW };
    expect(paidBy(...events, ...(decide(events, settle) as SubscriptionEvent[]))).toBe('pay_c');
  });

  it('stays the same through a change that costs nothing', () => {
    const changed = decide([bought], ask(anew, { now: NOW })) as SubscriptionEvent[];
    expect(paidBy(bought, ...changed)).toBe('pay_0');
  });
});
