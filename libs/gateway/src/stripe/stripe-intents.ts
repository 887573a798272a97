import type Stripe from 'stripe';
import type { Money } from '#domain/money';
import type { Decline, PaymentMethodDetails } from '#domain/payment';
import type { ChargeOutcome } from '../gateway.js';
import { fromStripeAmount } from './stripe-amounts.js';
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

/** There is one intent for a key, or two where a key had expired. */
const MOST_INTENTS = 10;

/**
 * The payment intent that was made under a key, as it is now; of several the one that was captured. Stripe's
 * search shows an intent within a minute of its making, within an hour in an outage, so undefined says
 * nothing of younger ones (rules/stripe 4).
 */
export async function findIntent(
  stripe: Stripe,
  key: string,
): Promise<Stripe.PaymentIntent | undefined> {
  // As JSON it is quoted as the search's own language has it.
  const query = `metadata[${JSON.stringify(KEY_FIELD)}]:${JSON.stringify(key)}`;
  const { data } = await stripe.paymentIntents.search({ query, limit: MOST_INTENTS });
  const found: Stripe.PaymentIntent[] = [];
  for (const { id, metadata } of data) {
    if (metadata[KEY_FIELD] !== key) continue;
    // The search may show an intent as it was a while ago.
    found.push(await stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] }));
  }
  return found.sort((a, b) => rank(a) - rank(b))[0];
}

function rank({ status }: Stripe.PaymentIntent): number {
  if (status === 'succeeded') return 0;
  return status === 'processing' ? 1 : 2;
}

/**
 * An inquiry of the bank's, or a prevented dispute: no money has left. Stripe sends another event where it escalates.
 */
export function takesNothing({ status }: Stripe.Dispute): boolean {
  return status.startsWith('warning_') || status === 'prevented';
}

/** Currencies move, so that banks may dispute more than was paid, or in another currency: then it is all of it. */
export function readDisputedAmount(dispute: Stripe.Dispute, intent: Stripe.PaymentIntent): Money {
  const { amount_received: paid, currency } = intent;
  const disputed = dispute.currency === currency ? Math.min(dispute.amount, paid) : paid;
  return fromStripeAmount(disputed, currency);
}
