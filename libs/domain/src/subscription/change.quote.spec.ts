import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { type PaymentLine, sumLines } from '../payment/index.js';
import { noTaxRates, type TaxRates } from '../pricing/index.js';
import { onlyRate } from '../pricing/spec-support/rates.js';
import type { ChangeEvent } from './change.events.js';
import { quoteChange } from './change.quote.js';
import type { WantedChange } from './change.wanted.js';
import {
  ask,
  asked,
  bronze,
  decide,
  fold,
  gold,
  MID,
  usd,
  wanted,
  yearly,
} from './spec-support/changes.js';
import {
  BOUGHT,
  canceled,
  created,
  createdOnTrial,
  failed,
  FIRST_DUE,
  renewed,
  requested,
  SECOND_DUE,
  terms,
  TRIAL_END,
} from './spec-support/subscriptions.js';
import type { SubscriptionEvent } from './subscription.events.js';
import type { StartedSubscription } from './subscription.state.js';

/** On trial, where there is one. */
const EARLY = '2027-02-01T10:00:00.000Z';

/** The quote of a change (rules/lifecycle 11). */
function quote(state: StartedSubscription, change: WantedChange, now = MID) {
  const quoted = quoteChange(state, change, { taxRates: noTaxRates, now });
  if (!quoted.accepted) throw new Error(quoted.rejection.code);
  return quoted.quote;
}

const print = ({ lines }: { readonly lines: readonly PaymentLine[] }) =>
  lines.map(({ kind, amount }) => `${kind} ${amount.amountMinor}`);

describe('a quote', () => {
  it('of a dearer plan charges the rest of the period, and credits what is not used of it', () => {
    const { lines, amount, effectiveAt, isScheduled, plan } = quote(fold(created), wanted(gold));
    expect(print({ lines })).toEqual(['proration_charge 1000', 'proration_credit -500']);
    expect([amount, effectiveAt, isScheduled]).toEqual([usd('500'), MID, false]);
    expect(plan).toMatchObject({ currentPeriodEnd: FIRST_DUE, billingAnchor: BOUGHT });
  });

  it('credits the time that is not used also where its payment was given back', () => {
    const noted = { paymentId: 'pay_0', paymentRevision: 2, recordedAt: MID };
    const refunded = { type: 'subscription.refund_recorded.v1', data: noted } as const;
    expect(quote(fold(created, refunded), wanted(gold))).toEqual(
      quote(fold(created), wanted(gold)),
    );
  });

  it('of a plan that is not dearer waits for the end of the period, and costs nothing', () => {
    const found = quote(fold(created), wanted(bronze));
    expect(found).toMatchObject({ isScheduled: true, effectiveAt: FIRST_DUE, lines: [] });
    const same = { ...gold, price: terms.price };
    expect(quote(fold(created), wanted(same)).isScheduled).toBe(true);
  });

  it('takes the amount that the studio names in the place of the difference', () => {
    const found = quote(fold(created), wanted(gold, { amountMinor: '123' }));
    expect([print(found), found.amount]).toEqual([['proration_charge 123'], usd('123')]);
  });

  it('of a period that begins anew charges all of it, and all dates with it', () => {
    const found = quote(fold(created), wanted(gold, { restartsPeriod: true }));
    expect(print(found)).toEqual(['proration_charge 1999', 'proration_credit -500']);
    expect(found.plan).toMatchObject({
      ...{ billingAnchor: MID, currentPeriodStart: MID, periodsPaid: 1, periodsBeforeAnchor: 1 },
      currentPeriodEnd: '2027-03-14T10:00:00.000Z',
    });
  });

  it('of periods of another length charges them by their own length, and counts them from the end', () => {
    const found = quote(fold(created), wanted(yearly));
    // 14 of 365 days.
    expect(print(found)).toEqual(['proration_charge 3832', 'proration_credit -500']);
    expect(found.plan).toMatchObject({
      ...{ billingAnchor: FIRST_DUE, periodsPaid: 0, periodsBeforeAnchor: 1 },
      ...{ currentPeriodStart: BOUGHT, currentPeriodEnd: FIRST_DUE },
    });
  });

  it('of periods of another length keeps the day of month of the first anchor', () => {
    const { plan } = quote(fold(created), wanted(yearly));
    expect(plan).toMatchObject({ billingAnchor: FIRST_DUE, billingDay: 31 });
    const weekly = { ...gold, price: usd('500'), period: { value: 1, unit: 'week' as const } };
    expect(quote(fold(created), wanted(weekly)).plan).toMatchObject({ billingDay: 31 });
    const anew = quote(fold(created), wanted(gold, { restartsPeriod: true }));
    expect(anew.plan).toMatchObject({ billingDay: 14 });
  });

  it('of months counts those of the billing day, also from the 28th of February', () => {
    const quarterly = { ...gold, price: usd('9200'), period: { value: 3, unit: 'month' as const } };
    // A day of the 92 from 28 February to 31 May.
    const state = fold(created, requested(), renewed());
    const found = quote(state, wanted(quarterly), '2027-03-30T10:00:00.000Z');
    expect(print(found)[0]).toBe('proration_charge 100');
  });

  it('of shorter periods charges as many of them as are left', () => {
    const weekly = { ...gold, price: usd('500'), period: { value: 1, unit: 'week' as const } };
    // Half of the four weeks of February are left.
    expect(print(quote(fold(created), wanted(weekly)))).toEqual([
      'proration_charge 1000',
      'proration_credit -500',
    ]);
  });

  it('is none while a charge is due', () => {
    const quoted = quoteChange(fold(created), wanted(gold), {
      taxRates: noTaxRates,
      now: FIRST_DUE,
    });
    expect(quoted).toMatchObject({ rejection: { code: 'subscription/charge_pending' } });
  });

  it('costs nothing during a trial, unless the studio says so', () => {
    const found = quote(fold(createdOnTrial), wanted(gold), EARLY);
    expect(found).toMatchObject({ lines: [], amount: usd('0'), isScheduled: false });
    expect(found.plan).toMatchObject({ billingAnchor: TRIAL_END, periodsBeforeAnchor: 1 });
    const named = wanted(gold, { amountMinor: '100' });
    expect(quote(fold(createdOnTrial), named, EARLY).amount).toEqual(usd('100'));
  });

  it('pays an open period first', () => {
    const state = fold(created, requested(), failed());
    const now = '2027-03-01T09:00:00.000Z';
    const method = quote(state, wanted(null), now);
    expect(print(method)).toEqual(['recurring 999']);
    expect(method.openPeriod).toEqual({ number: 2, start: FIRST_DUE, end: SECOND_DUE });
    const upgrade = quote(state, wanted(gold), now);
    expect(print(upgrade)).toEqual([
      'recurring 999',
      'proration_charge 1937',
      'proration_credit -968',
    ]);
    expect(upgrade.plan).toMatchObject({ periodsPaid: 2, currentPeriodEnd: SECOND_DUE });
    expect(quote(state, wanted(bronze), now)).toMatchObject({ effectiveAt: SECOND_DUE, lines: [] });
  });

  it.each([
    ['subscription/canceled', [created, canceled(MID)], wanted(gold)],
    ['subscription/charge_pending', [created, requested()], wanted(null)],
    ['subscription/charge_pending', [created, ...asked], wanted(bronze)],
    ['subscription/plan_unchanged', [created], wanted({ ...gold, planId: 'plan_1' })],
    ['subscription/invalid_change', [created], wanted(bronze, { amountMinor: '1' })],
    ['subscription/invalid_change', [created], wanted(bronze, { restartsPeriod: true })],
    ['subscription/invalid_change', [createdOnTrial], wanted(gold, { restartsPeriod: true })],
  ])('is refused: %s', (code, history, change) => {
    const quoted = quoteChange(fold(...history), change, { taxRates: noTaxRates, now: EARLY });
    expect(quoted).toMatchObject({ accepted: false, rejection: { code } });
  });
});

it('a preview and the charge at the same moment are the same, line by line', () => {
  const moment = fc.integer({ min: Date.parse(BOUGHT), max: Date.parse(FIRST_DUE) });
  const price = fc.integer({ min: 1, max: 1_000_000 }).map(String);
  const period = fc.record({
    value: fc.integer({ min: 1, max: 12 }),
    unit: fc.constantFrom('day' as const, 'week' as const, 'month' as const, 'year' as const),
  });
  const history = fc.constantFrom<SubscriptionEvent[]>(
    [created],
    [createdOnTrial],
    [created, requested(), failed()],
    [created, requested(), renewed()],
  );
  const rates = fc.constantFrom<TaxRates>(
    noTaxRates,
    ...[true, false].map((inclusive) => onlyRate({ country: 'US', rate: '0.0835', inclusive })),
  );
  const all = fc.tuple(history, price, period, moment, rates, fc.boolean());
  fc.assert(
    fc.property(all, ([events, amountMinor, periodOf, ms, taxRates, restarts]) => {
      const plan = { planId: 'plan_9', price: usd(amountMinor), period: periodOf };
      const change = wanted(plan, { restartsPeriod: restarts });
      const now = new Date(ms).toISOString();
      const quoted = quoteChange(fold(...events), change, { taxRates, now });
      const command = { ...ask(change, { now }), taxRates };
      if (!quoted.accepted || quoted.quote.isScheduled) return;
      const { lines, amount } = quoted.quote;
      const shown = { ...command, shown: amount };
      const [event] = decide(events, shown) as ChangeEvent[];
      expect(BigInt(amount.amountMinor) >= 0n).toBe(true);
      if (amount.amountMinor === '0') {
        expect(event?.type).toBe('subscription.plan_changed.v1');
        return;
      }
      expect(event).toMatchObject({ type: 'subscription.change_requested.v1', data: { lines } });
      expect(sumLines(lines)).toEqual(amount);
    }),
  );
});
