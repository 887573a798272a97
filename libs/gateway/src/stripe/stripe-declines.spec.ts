import { describe, expect, it } from 'vitest';
import { normalizeDecline } from './stripe-declines.js';

/** How Stripe's codes are named here (rules/stripe 2): reason and class of each. */
describe('a decline of Stripe', () => {
  it.each([
    ['insufficient_funds', 'insufficient_funds', 'soft'],
    ['withdrawal_count_limit_exceeded', 'limit_exceeded', 'soft'],
    ['card_velocity_exceeded', 'limit_exceeded', 'soft'],
    ['do_not_honor', 'do_not_honor', 'soft'],
    ['generic_decline', 'card_declined', 'soft'],
    ['call_issuer', 'card_declined', 'soft'],
    ['try_again_later', 'issuer_unavailable', 'soft'],
    ['issuer_not_available', 'issuer_unavailable', 'soft'],
    ['reenter_transaction', 'processing_error', 'soft'],
    ['processing_error', 'processing_error', 'soft'],
    ['expired_card', 'expired_card', 'hard'],
    ['incorrect_cvc', 'incorrect_cvc', 'hard'],
    ['lost_card', 'lost_or_stolen_card', 'hard'],
    ['stolen_card', 'lost_or_stolen_card', 'hard'],
    ['pickup_card', 'lost_or_stolen_card', 'hard'],
    ['do_not_try_again', 'do_not_honor', 'hard'],
    ['revocation_of_all_authorizations', 'card_declined', 'hard'],
    ['stop_payment_order', 'card_declined', 'hard'],
    ['card_not_supported', 'card_declined', 'hard'],
    ['invalid_account', 'card_declined', 'hard'],
    ['fraudulent', 'fraud_suspected', 'fraud'],
    ['merchant_blacklist', 'fraud_suspected', 'fraud'],
    ['authentication_required', 'authentication_required', 'authentication_required'],
  ])('%s is %s, %s', (raw, reason, declineClass) => {
    const decline = { reason, declineClass, rawDeclineCode: raw };
    expect(normalizeDecline({ code: 'card_declined', decline_code: raw })).toEqual(decline);
    expect(normalizeDecline({ code: raw })).toEqual(decline);
  });

  it('that has a code of a later day is unknown, and says the code', () => {
    expect(normalizeDecline({ code: 'card_declined', decline_code: 'moon_phase' })).toEqual({
      reason: 'unknown',
      declineClass: 'unknown',
      rawDeclineCode: 'moon_phase',
    });
  });

  it('is never tried again where the network advises against it', () => {
    const error = { decline_code: 'generic_decline', advice_code: 'do_not_try_again' };
    expect(normalizeDecline(error)).toMatchObject({ declineClass: 'hard' });
  });

  it('without any code is unknown', () => {
    const decline = { reason: 'unknown', declineClass: 'unknown', rawDeclineCode: '' };
    expect(normalizeDecline({})).toEqual(decline);
  });
});
