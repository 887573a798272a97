import Stripe from 'stripe';
import type { CardEntry, CardEntryRequest, EnteredCard } from '../card-entry.js';
import { connectStripe, type StandIn, type StripeAccount } from './stripe-account.js';
import { orFault, toFault } from './stripe-errors.js';

/** The address of Stripe's own pages. */
const PAGES = 'https://checkout.stripe.com';
const SESSION_ID = /^cs_\w{1,250}$/;
/** The session's metadata name its link, and the amounts on the link's page. */
const LINK_FIELD = 'subledger_link';
const DETAIL = 'subledger_detail_';
const LOCALES: ReadonlySet<string> = new Set(['de', 'en', 'es', 'fr', 'ja']);

/**
 * Cards are entered on Stripe's own page (rules/stripe 9): a Checkout Session in setup mode, of a customer who is
 * made for the link, so that the card can be charged again without the player.
 */
export function createStripeCards(options: Pick<StripeAccount, 'secretKey'> & StandIn): CardEntry {
  const stripe = connectStripe(options.secretKey, options);
  return {
    origin: options.apiBase?.origin ?? PAGES,
    begin: (entry) => begin(stripe, entry),
    find: (session, linkId) => find(stripe, session, linkId),
  };
}

/** The same key leads to the same page. */
async function begin(stripe: Stripe, entry: CardEntryRequest): Promise<string> {
  const { key, linkId } = entry;
  return orFault(`take a card for ${linkId}`, async () => {
    const metadata = { [LINK_FIELD]: linkId };
    const once = { idempotencyKey: `customer-${linkId}` };
    const { id: customer } = await stripe.customers.create({ metadata }, once);
    const { url } = await stripe.checkout.sessions.create(buildSession(entry, customer), {
      idempotencyKey: `card-${linkId}-${key}`,
    });
    return url ?? '';
  });
}

function buildSession(
  { linkId, language, returnUrl, cancelUrl, details }: CardEntryRequest,
  customer: string,
): Stripe.Checkout.SessionCreateParams {
  const entries = Object.entries(details).map(([name, value]) => [`${DETAIL}${name}`, value]);
  return {
    mode: 'setup',
    customer,
    allowed_payment_method_types: ['card'],
    client_reference_id: linkId,
    metadata: { [LINK_FIELD]: linkId, ...(Object.fromEntries(entries) as Stripe.Metadata) },
    locale: LOCALES.has(language) ? language : 'auto',
    // Stripe puts the session's id in the place of the braces, which must not be encoded.
    success_url: `${returnUrl}?session={CHECKOUT_SESSION_ID}`,
    cancel_url: cancelUrl,
  };
}

/**
 * A session is believed where it was begun here for this link: its metadata is written by the secret key alone,
 * while the reference can be chosen by whose page it is.
 */
async function find(
  stripe: Stripe,
  sessionId: string,
  linkId: string,
): Promise<EnteredCard | undefined> {
  if (!SESSION_ID.test(sessionId)) return undefined;
  try {
    const options = { expand: ['setup_intent'] };
    return readSession(await stripe.checkout.sessions.retrieve(sessionId, options), linkId);
  } catch (error) {
    const isUnknown = error instanceof Stripe.errors.StripeInvalidRequestError;
    if (isUnknown && error.code === 'resource_missing') return undefined;
    throw toFault(error, `find the card of ${linkId}`);
  }
}

function readSession(session: Stripe.Checkout.Session, linkId: string): EnteredCard | undefined {
  const { mode, status, metadata, customer, setup_intent: setup } = session;
  if (metadata?.[LINK_FIELD] !== linkId) return undefined;
  if (mode !== 'setup' || status !== 'complete') return undefined;
  if (setup === null || typeof setup === 'string' || setup.status !== 'succeeded') return undefined;
  const owner = typeof customer === 'string' ? customer : customer?.id;
  const { payment_method: method } = setup;
  const card = typeof method === 'string' ? method : method?.id;
  if (owner === undefined || card === undefined) return undefined;
  const details = Object.entries(metadata).flatMap(([name, value]) =>
    name.startsWith(DETAIL) ? [[name.slice(DETAIL.length), value]] : [],
  );
  return {
    paymentMethod: `${owner}/${card}`,
    details: Object.fromEntries(details) as EnteredCard['details'],
  };
}
