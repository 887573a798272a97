import { describe, expect, it } from 'vitest';
import { given } from '../decider/spec-support/given.js';
import type { TaxRates } from '../pricing/index.js';
import { checkoutLinkAggregate } from './checkout-link.decide.js';
import type { CheckoutLinkEvent, Offer } from './checkout-link.events.js';
import { quoteOffer } from './checkout-link.quote.js';
import { attemptAt, createdLink, offer, T0, T1, usd } from './spec-support/links.js';

const { decider } = checkoutLinkAggregate;

/** Never more is charged than was shown (rules/payments 11). */
const WEEK_LATER = '2027-02-07T10:05:00.000Z';
const monthly: Offer = { ...offer, price: usd('1000') };
const onTrial: Offer = { ...monthly, trial: { value: 1, unit: 'week' } };
const created = (sold: Offer) => createdLink({ offer: sold, regionCode: 'EE' });
/** Rates of Estonia, each with the moment from which it holds. */
const rates = (...steps: [rate: string, effectiveFrom: string][]): TaxRates => ({
  versions: steps.map(([rate, effectiveFrom], index) => ({
    ...{ version: index + 1, effectiveFrom, setBy: 'operator:fin', setAt: T0 },
    rates: [{ country: 'EE', rate, inclusive: false }],
  })),
});
const click = (taxRates: TaxRates, shown?: string) =>
  attemptAt(T1, { taxRates, ...(shown !== undefined && { shown: usd(shown) }) });
/** It was 0.22 when the page was shown. */
const RISEN = rates(['0.22', T0], ['0.24', T1]);

describe('a click on the button of a plan', () => {
  const link = given(decider, created(monthly));

  it('is charged the tax of its moment, up to what was shown', () => {
    const tax = { amount: usd('240'), inclusive: false, rate: { rate: '0.24', version: 2 } };
    for (const shown of [undefined, '1240', '1300']) {
      expect(link.when(click(RISEN, shown))).toMatchObject([
        { type: 'checkout_link.attempted.v1', data: { charge: { amount: usd('1240'), tax } } },
      ]);
    }
  });

  it('is refused above that, with what is due now', () => {
    const decision = decider.decide(click(RISEN, '1220'), link.state);
    const rejection = { code: 'checkout_link/amount_changed', amount: usd('1240') };
    expect(decision).toEqual({ accepted: false, rejection });
  });

  it('joins an attempt on its way, whatever was shown', () => {
    const [attempted] = link.when(click(RISEN)) as CheckoutLinkEvent[];
    const joined = given(decider, created(monthly), attempted as CheckoutLinkEvent);
    expect(joined.when(click(RISEN, '1'))).toEqual([]);
  });
});

describe('a click that begins a trial', () => {
  it('charges nothing, whatever was shown', () => {
    const link = given(decider, created(onTrial));
    expect(link.when(click(RISEN, '0'))).toMatchObject([
      { data: { paymentId: null, charge: null } },
    ]);
  });
});

describe('what an offer comes to', () => {
  it('is taxed for its first charge by the rate of the due date', () => {
    const changing = rates(['0.22', T0], ['0.24', WEEK_LATER], ['0.3', '2027-02-08T00:00:00.000Z']);
    const now = quoteOffer({ offer: monthly, regionCode: 'EE' }, changing, T1);
    expect([now.dueNow.amount, now.firstCharge.amount]).toEqual([usd('1220'), usd('1220')]);
    const later = quoteOffer({ offer: onTrial, regionCode: 'EE' }, changing, T1);
    expect(later.dueNow).toEqual({ amount: usd('0'), tax: null });
    expect(later.firstCharge.amount).toEqual(usd('1240'));
  });
});
