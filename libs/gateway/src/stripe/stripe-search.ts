import type Stripe from 'stripe';
import { KEY_FIELD } from './stripe-intents.js';

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
