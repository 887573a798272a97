import { describe, expect, it } from 'vitest';
import { noTaxRates } from '../pricing/index.js';
import { quoteAsShown } from './change.hold.js';
import { quoteChange } from './change.quote.js';
import { ask, asked, decide, fold, gold, MID, wanted } from './spec-support/changes.js';
import { created, failed, hoursAfter, noted, requested } from './spec-support/subscriptions.js';
import type { SubscriptionEvent } from './subscription.events.js';

/** How long a shown quote holds (rules/lifecycle 11). */
const idr = (amountMinor: string) => ({ amountMinor, currency: 'IDR' });
const bought: SubscriptionEvent = {
  ...created,
  data: { ...created.data, price: idr('14900000') },
};
const dearer = { ...gold, price: idr('29900000') };
const anew = wanted(dearer, { restartsPeriod: true });

/** A moment so many seconds from the middle of the period. */
const seconds = (count: number) => new Date(Date.parse(MID) + count * 1000).toISOString();

function shownAt(now: string): string {
  const quoted = quoteChange(fold(bought), anew, { taxRates: noTaxRates, now });
  if (!quoted.accepted) throw new Error('unreachable');
  return quoted.quote.amount.amountMinor;
}

/** A click at a moment, on a page that showed the amount due at another one. */
function click(now: string, quotedAt: string | null) {
  const shown = idr(shownAt(quotedAt ?? now));
  return decide([bought], { ...ask(anew, { now }), shown, quotedAt });
}

const pricedAt = (history: readonly SubscriptionEvent[], quotedAt: string | null, now: string) => {
  const at = { taxRates: noTaxRates, quotedAt, now };
  const quoted = quoteAsShown(fold(...history), wanted(gold), at);
  return quoted.accepted ? quoted.quote.effectiveAt : quoted.rejection.code;
};

describe('a change that was shown', () => {
  it('rises by itself, where the period begins anew', () => {
    expect(Number(shownAt(seconds(1)))).toBeGreaterThan(Number(shownAt(MID)));
  });

  it.each([0, 1, 30, 899, 900])('is taken as it was shown %d seconds before', (later) => {
    const [event] = click(seconds(later), MID);
    expect(event).toMatchObject({
      type: 'subscription.change_requested.v1',
      data: { plan: { currentPeriodStart: MID }, requestedAt: seconds(later) },
    });
  });

  it('holds for no longer than a quarter of an hour', () => {
    expect(click(seconds(901), MID)).toMatchObject([
      { data: { refusal: 'subscription/amount_changed' } },
    ]);
    expect(pricedAt([created], MID, seconds(901))).toBe(seconds(901));
  });

  it('is priced at the click where no moment is named, or one to come', () => {
    expect(pricedAt([created], null, MID)).toBe(MID);
    expect(pricedAt([created], seconds(1), MID)).toBe(MID);
  });

  it('does not outlast the period that it was computed for', () => {
    const due = '2027-02-28T10:00:00.000Z';
    const [before, after] = ['2027-02-28T09:59:00.000Z', '2027-02-28T10:05:00.000Z'];
    const open = [created, requested(), failed()];
    expect(pricedAt(open, before, after)).toBe(after);
    expect(pricedAt(open, due, after)).toBe(due);
    const early = '2027-01-31T09:59:00.000Z';
    expect(pricedAt([created], early, '2027-01-31T10:05:00.000Z')).toBe('2027-01-31T10:05:00.000Z');
  });

  it('does not reach past the moment when its period is due to be paid', () => {
    const due = '2027-02-28T10:00:00.000Z';
    expect(pricedAt([created], '2027-02-28T09:59:00.000Z', due)).toBe(
      'subscription/charge_pending',
    );
  });

  it('does not outlast the plan that it was computed for', () => {
    const changed = decide([created], { ...ask(wanted(gold, { amountMinor: '0' })) });
    const history = [created, ...(changed as SubscriptionEvent[])];
    const next = wanted({
      ...gold,
      planId: 'plan_9',
      price: { ...gold.price, amountMinor: '9999' },
    });
    const quoted = (quotedAt: string) => {
      const at = { taxRates: noTaxRates, quotedAt, now: seconds(60) };
      const found = quoteAsShown(fold(...history), next, at);
      return found.accepted && found.quote.effectiveAt;
    };
    expect([quoted(seconds(-1)), quoted(MID)]).toEqual([seconds(60), MID]);
  });
});

it('a change has its price since the moment that its lines say, however late the bank answers', () => {
  const [request] = asked as [Extract<SubscriptionEvent, { data: { lines: unknown } }>];
  const now = hoursAfter(MID, 3);
  const settled = decide([created, ...asked], {
    kind: 'SettleChange',
    ...noted('pay_c'),
    outcome: 'captured',
    now,
  });
  const { priceLockedAt } = fold(created, ...asked, ...(settled as SubscriptionEvent[]));
  expect(request.data.lines[0]).toMatchObject({ origin: { lockedAt: priceLockedAt } });
  expect(priceLockedAt).toBe(MID);
});
