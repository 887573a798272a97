import type Stripe from 'stripe';
import type { Decline, PaymentMethodDetails } from '#domain/payment';
import type { ChargeOutcome } from '../gateway.js';
import { normalizeDecline } from './stripe-declines.js';

/** The metadata field of a charge's key. Stripe's search finds a charge by it (rules/stripe 4). */
export const KEY_FIELD = 'subledger_key';
export const REFERENCE_FIELD = 'subledger_reference';
/** Of which app, since several may have one account. */
export const APP_FIELD = 'subledger_app';
/** On refunds: the key of the charge. */
export const CHARGE_KEY_FIELD = 'subledger_charge_key';

const CANCELED: Decline = {
  reason: 'processing_error',
  declineClass: 'soft',
  rawDeclineCode: 'canceled',
};

/** Whether something at Stripe says that it is another app's. */
export function isOfOthers(metadata: Stripe.Metadata | null, appId: string): boolean {
  const named = metadata?.[APP_FIELD];
  return named !== undefined && named !== appId;
}

/**
 * The outcome of a charge. An intent of ours is confirmed once, when it is made: one that still asks for something
 * (another card, an action that is no page to go to) will never get it, so that it is declined.
 */
export function readIntent(intent: Stripe.PaymentIntent): ChargeOutcome {
  const { status, last_payment_error: error } = intent;
  switch (status) {
    case 'succeeded':
      return { status: 'captured', method: readMethod(intent) };
    case 'requires_action': {
      const url = intent.next_action?.redirect_to_url?.url;
      if (url) return { status: 'challenge', url };
      return decline(intent, normalizeDecline({ code: 'authentication_required' }));
    }
    case 'requires_payment_method':
      return error ? decline(intent, normalizeDecline(error)) : { status: 'pending' };
    case 'canceled':
      return decline(intent, error ? normalizeDecline(error) : CANCELED);
    default:
      return { status: 'pending' };
  }
}

function decline(intent: Stripe.PaymentIntent, why: Decline): ChargeOutcome {
  return { status: 'declined', decline: why, method: readMethod(intent) };
}

function readMethod(intent: Stripe.PaymentIntent): PaymentMethodDetails {
  const { latest_charge: charge, last_payment_error: error } = intent;
  const [type = ''] = intent.payment_method_types;
  const details = charge && typeof charge === 'object' ? charge.payment_method_details : undefined;
  const brand = details?.card?.brand ?? error?.payment_method?.card?.brand;
  return { paymentMethodSubType: brand ?? type, issuerBank: details?.card?.issuer ?? '' };
}
