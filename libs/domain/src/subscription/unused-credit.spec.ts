import { describe, expect, it } from 'vitest';
import { noTaxRates } from '../pricing/index.js';
import { quoteChange } from './change.quote.js';
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
import { BOUGHT, createdOnTrial } from './spec-support/subscriptions.js';

/** The time that a player loses with a change that begins anew is shown (rules/lifecycle 11). */
/** 31 of 365 days are used. */
const NOW = '2027-03-03T10:00:00.000Z';
const monthly = { ...gold, price: usd('1700') };
const anew = wanted(monthly, { restartsPeriod: true });
const LOST = {
  ...{ unused: usd('12262'), used: usd('1700') },
  ...{ forfeited: usd('10562'), refunded: usd('0') },
};

describe('a change that begins anew and does not use up what was paid', () => {
  it('shows what is unused and what of it is lost', () => {
    const quoted = quoteChange(fold(bought), anew, { taxRates: noTaxRates, now: NOW });
    expect(quoted).toMatchObject({
      quote: {
        amount: usd('0'),
        lines: [
          { kind: 'proration_charge', amount: usd('1700') },
          { kind: 'proration_credit', amount: usd('-12262') },
          { kind: 'credit_forfeited', amount: usd('10562') },
        ],
      },
    });
  });

  it('says so in its event', () => {
    expect(decide([bought], ask(anew, { now: NOW }))).toMatchObject([
      {
        type: 'subscription.plan_changed.v1',
        data: { payment: null, refundedPaymentId: null, unusedCredit: LOST },
      },
    ]);
  });

  it('loses nothing by the difference where the studio has named an amount', () => {
    const named = { ...anew, amountMinor: '0' };
    expect(decide([bought], ask(named, { now: NOW }))).toMatchObject([
      { type: 'subscription.plan_changed.v1', data: { unusedCredit: null } },
    ]);
  });
});

describe('a change that is to lose nothing', () => {
  const refusing = { ...anew, unusedCredit: 'refuse' } as const;
  const at = (now: string) => ({ taxRates: noTaxRates, now });

  it('is refused with what would be lost, also by the click', () => {
    expect(quoteChange(fold(bought), refusing, at(NOW))).toEqual({
      accepted: false,
      rejection: { code: 'subscription/unused_credit', amount: LOST.forfeited },
    });
    expect(decide([bought], ask(refusing, { now: NOW }))).toMatchObject([
      {
        type: 'subscription.change_refused.v1',
        data: { refusal: 'subscription/unused_credit' },
      },
    ]);
  });

  it.each([
    ['what is left is used up', { ...refusing, plan: { ...gold, price: usd('17000') } }, NOW],
    ['little is left', refusing, '2028-01-01T10:00:00.000Z'],
    ['the studio has named an amount', { ...refusing, amountMinor: '0' }, NOW],
    ['the plan waits for the end of the period', wanted(bronze, { unusedCredit: 'refuse' }), NOW],
  ])('is had where %s', (_where, change, now) => {
    expect(quoteChange(fold(bought), change, at(now))).toMatchObject({ accepted: true });
  });

  it('is had during a trial, which nothing was paid for', () => {
    const change = wanted(monthly, { unusedCredit: 'refuse' });
    expect(quoteChange(fold(createdOnTrial), change, at(BOUGHT))).toMatchObject({ accepted: true });
  });
});
