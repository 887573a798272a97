import { describe, expect, it } from 'vitest';
import type Stripe from 'stripe';
import { readIntent } from './stripe-intents.js';

/** The outcome in a payment intent (rules/stripe 1). */
describe('a payment intent', () => {
  const refused = { code: 'card_declined', decline_code: 'do_not_honor' };

  it.each([
    ['succeeded', null, 'captured'],
    ['processing', null, 'pending'],
    ['requires_confirmation', null, 'pending'],
    ['requires_capture', null, 'pending'],
    ['of_a_later_day', null, 'pending'],
    ['requires_payment_method', null, 'pending'],
    ['requires_payment_method', refused, 'declined'],
    ['canceled', null, 'declined'],
    ['canceled', refused, 'declined'],
  ])('%s, with the error %j, is %s', (status, error, outcome) => {
    expect(readIntent(buildIntent(status, error)).status).toBe(outcome);
  });

  it('that wants the player to confirm leads to where that is done', () => {
    const url = 'https://hooks.stripe.com/redirect/1';
    const redirect = { type: 'redirect_to_url', redirect_to_url: { url, return_url: null } };
    const next_action = redirect as Stripe.PaymentIntent.NextAction;
    const intent = { ...buildIntent('requires_action', null), next_action };
    expect(readIntent(intent)).toEqual({ status: 'challenge', url });
  });

  it('that wants what is no page to go to is declined', () => {
    expect(readIntent(buildIntent('requires_action', null))).toMatchObject({
      status: 'declined',
      decline: { reason: 'authentication_required', declineClass: 'authentication_required' },
    });
  });

  it('tells the brand of the card, or else the type of the method', () => {
    const charge = { payment_method_details: { card: { brand: 'visa', issuer: 'A Bank' } } };
    expect(
      readIntent({ ...buildIntent('succeeded', null), latest_charge: charge as never }),
    ).toEqual({
      status: 'captured',
      method: { paymentMethodSubType: 'visa', issuerBank: 'A Bank' },
    });
    const inEvent = { ...buildIntent('succeeded', null), latest_charge: 'ch_1' };
    const method = { paymentMethodSubType: 'card', issuerBank: '' };
    expect(readIntent(inEvent)).toEqual({ status: 'captured', method });
  });
});

/** The fields of an intent that are read here. */
function buildIntent(status: string, error: object | null): Stripe.PaymentIntent {
  const payment_method_types = ['card'];
  const intent = { status, last_payment_error: error, latest_charge: null, payment_method_types };
  return intent as unknown as Stripe.PaymentIntent;
}
