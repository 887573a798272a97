import type { Decline, DeclineClass, DeclineReason } from '#domain/payment';

/** The part of Stripe's error that says why a card was declined. */
export interface StripeRefusal {
  readonly code?: string | null | undefined;
  readonly decline_code?: string | null | undefined;
  /** The network's advice on the next step. */
  readonly advice_code?: string | null | undefined;
}

/**
 * Stripe's decline codes, and error codes that stand for one, by our reasons (rules/stripe 2). Hard is a decline that
 * no later attempt with the same card can heal.
 */
const CODES: readonly (readonly [DeclineReason, DeclineClass, readonly string[]])[] = [
  ['insufficient_funds', 'soft', ['insufficient_funds']],
  ['limit_exceeded', 'soft', ['card_velocity_exceeded', 'withdrawal_count_limit_exceeded']],
  ['do_not_honor', 'soft', ['do_not_honor']],
  ['do_not_honor', 'hard', ['do_not_try_again']],
  [
    'card_declined',
    'soft',
    [
      ...[
        'generic_decline',
        'call_issuer',
        'no_action_taken',
        'not_permitted',
        'service_not_allowed',
      ],
      ...['approve_with_id', 'card_declined', 'duplicate_transaction', 'security_violation'],
    ],
  ],
  [
    'card_declined',
    'hard',
    [
      ...['card_not_supported', 'currency_not_supported', 'invalid_account', 'invalid_number'],
      ...['incorrect_number', 'new_account_information_available', 'restricted_card'],
      ...['revocation_of_authorization', 'revocation_of_all_authorizations', 'testmode_decline'],
      ...['stop_payment_order', 'transaction_not_allowed', 'live_mode_test_card'],
      ...['payment_method_not_available', 'resource_missing'],
    ],
  ],
  ['expired_card', 'hard', ['expired_card', 'invalid_expiry_month', 'invalid_expiry_year']],
  ['incorrect_cvc', 'hard', ['incorrect_cvc', 'invalid_cvc']],
  ['lost_or_stolen_card', 'hard', ['lost_card', 'stolen_card', 'pickup_card']],
  ['fraud_suspected', 'fraud', ['fraudulent', 'merchant_blacklist']],
  [
    'authentication_required',
    'authentication_required',
    [
      ...[
        'authentication_required',
        'authentication_not_handled',
        'payment_intent_action_required',
      ],
      'payment_intent_authentication_failure',
    ],
  ],
  ['issuer_unavailable', 'soft', ['issuer_not_available', 'try_again_later']],
  ['processing_error', 'soft', ['processing_error', 'reenter_transaction', 'approval_timeout']],
  [
    'processing_error',
    'hard',
    ['amount_too_small', 'amount_too_large', 'invalid_amount', 'invalid_charge_amount'],
  ],
];

const MEANINGS = new Map(
  CODES.flatMap(([reason, declineClass, codes]) =>
    codes.map((code) => [code, { reason, declineClass }] as const),
  ),
);

/** The advice of a network that a card is not to be tried again. Those who try all the same are fined. */
const ADVICE_TO_STOP = 'do_not_try_again';

/** A decline in our words. A code that is not known is unknown and no fault: the charge did not go through. */
export function normalizeDecline({ code, decline_code, advice_code }: StripeRefusal): Decline {
  const rawDeclineCode = decline_code ?? code ?? '';
  const known = MEANINGS.get(rawDeclineCode) ?? { reason: 'unknown', declineClass: 'unknown' };
  const isFinal = advice_code === ADVICE_TO_STOP && known.declineClass === 'soft';
  return { ...known, ...(isFinal && { declineClass: 'hard' }), rawDeclineCode };
}
