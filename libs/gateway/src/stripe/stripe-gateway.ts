import type Stripe from 'stripe';
import { assertDefect } from '#platform';
import type {
  ChargeOutcome,
  ChargeQuery,
  FoundCharge,
  GatewayCharge,
  PaymentGateway,
} from '../gateway.js';
import { limitCalls } from '../limit-calls.js';
import { connectStripe, type StandIn, type StripeAccount } from './stripe-account.js';
import { createStripeCards } from './stripe-cards.js';
import { toStripeAmount } from './stripe-amounts.js';
import { normalizeDecline } from './stripe-declines.js';
import { isStuck, orFault, readDecline, toFault } from './stripe-errors.js';
import { APP_FIELD, findIntent, KEY_FIELD, readIntent, REFERENCE_FIELD } from './stripe-intents.js';
import { findRefund, refundOnce } from './stripe-refunds.js';

/** Stripe removes keys "after they're at least 24 hours old". */
const KEY_LIFETIME_MS = 24 * 3_600_000;
type IntentParams = Stripe.PaymentIntentCreateParams;
/** Our token of a payment method: the customer whose it is, and the method. */
const PAYMENT_METHOD = /^(cus_\w{1,64})\/(pm_\w{1,64})$/;

/**
 * Stripe as a gateway (rules/stripe 1). A charge is a payment intent that is made and confirmed by one call; our
 * key is its idempotency key, and stands in its metadata.
 */
export function createStripeGateway(
  options: Pick<StripeAccount, 'appId' | 'secretKey'> & StandIn,
): PaymentGateway {
  const { appId } = options;
  const stripe = connectStripe(options.secretKey, options);
  return limitCalls({
    keyLifetimeMs: KEY_LIFETIME_MS,
    cards: createStripeCards(options),
    knows: (paymentMethod) => PAYMENT_METHOD.test(paymentMethod),
    charge: (charge) => chargeOnce(stripe, appId, charge),
    findCharge: (query) => findCharge(stripe, query),
    refund: (refund) => refundOnce(stripe, appId, refund),
    findRefund: (query) => findRefund(stripe, query),
  });
}

async function chargeOnce(
  stripe: Stripe,
  appId: string,
  charge: GatewayCharge,
): Promise<ChargeOutcome> {
  const amount = toStripeAmount(charge.amount);
  if (amount === undefined) return declined({ code: 'invalid_charge_amount' });
  try {
    const params = buildIntent(appId, charge, amount);
    const intent = await stripe.paymentIntents.create(params, { idempotencyKey: charge.key });
    return await readLatest(stripe, intent);
  } catch (error) {
    const refused = readDecline(error);
    if (refused)
      return refused.payment_intent ? readIntent(refused.payment_intent) : declined(refused);
    if (isStuck(error)) return findStuck(stripe, charge, error);
    throw toFault(error, `charge ${charge.key}`);
  }
}

function buildIntent(appId: string, charge: GatewayCharge, amount: number): IntentParams {
  const [, customer, paymentMethod] = PAYMENT_METHOD.exec(charge.paymentMethod) ?? [];
  assertDefect(customer && paymentMethod, `Stripe does not know ${charge.paymentMethod}`);
  return {
    amount,
    currency: charge.amount.currency.toLowerCase(),
    customer,
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card'],
    confirm: true,
    ...presence(charge),
    metadata: {
      [APP_FIELD]: appId,
      [KEY_FIELD]: charge.key,
      [REFERENCE_FIELD]: charge.reference,
    },
    expand: ['latest_charge'],
  };
}

/**
 * Stripe leads a player who is there to the bank and back, where the bank wants that. Without a way back
 * the intent would wait for ever: then it fails at once.
 */
function presence({ offSession, returnUrl }: GatewayCharge): Partial<IntentParams> {
  if (offSession) return { off_session: true };
  return returnUrl === undefined ? { error_on_requires_action: true } : { return_url: returnUrl };
}

/** A key that comes again gets the first answer, as it was then: an open charge may have its outcome since. */
async function readLatest(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<ChargeOutcome> {
  const outcome = readIntent(intent);
  if (outcome.status !== 'pending' && outcome.status !== 'challenge') return outcome;
  return readIntent(await stripe.paymentIntents.retrieve(intent.id, { expand: ['latest_charge'] }));
}

async function findCharge(stripe: Stripe, { key }: ChargeQuery): Promise<FoundCharge> {
  const intent = await orFault(`find ${key}`, () => findIntent(stripe, key));
  return intent ? readIntent(intent) : { status: 'unknown' };
}

/** Where nothing is found the charge stays unknown: the search may not show it yet. */
async function findStuck(
  stripe: Stripe,
  charge: GatewayCharge,
  cause: unknown,
): Promise<ChargeOutcome> {
  const found = await findCharge(stripe, charge);
  if (found.status === 'unknown') throw toFault(cause, `charge ${charge.key}`);
  return found;
}

/** Nothing reached a bank, so that there is nothing to say of the method. */
function declined(why: Parameters<typeof normalizeDecline>[0]): ChargeOutcome {
  const method = { paymentMethodSubType: 'card', issuerBank: '' };
  return { status: 'declined', decline: normalizeDecline(why), method };
}
