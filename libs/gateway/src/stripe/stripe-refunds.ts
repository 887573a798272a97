import type Stripe from 'stripe';
import { Fault } from '#platform';
import type { FoundRefund, GatewayRefund, GatewayRefundOutcome, RefundQuery } from '../gateway.js';
import { toStripeAmount } from './stripe-amounts.js';
import { isStuck, orFault, readRefusal, toFault } from './stripe-errors.js';
import {
  APP_FIELD,
  CHARGE_KEY_FIELD,
  findIntent,
  KEY_FIELD,
  readIntent,
  REFERENCE_FIELD,
} from './stripe-intents.js';

/** A payment has at most a hundred refunds (rules/payments 13). */
const MOST_REFUNDS = 100;

/** Refunds under the key, or says why Stripe refuses. @throws Fault `unavailable`: the outcome is unknown. */
export async function refundOnce(
  stripe: Stripe,
  appId: string,
  refund: GatewayRefund,
): Promise<GatewayRefundOutcome> {
  const amount = toStripeAmount(refund.amount);
  if (amount === undefined) return refuse('Stripe cannot give back a part of this size.');
  try {
    const intent = await findCharged(stripe, refund);
    if (readIntent(intent).status === 'declined') return refuse('Nothing was captured.');
    const metadata = { [APP_FIELD]: appId, ...describe(refund) };
    const params = { payment_intent: intent.id, amount, metadata };
    const made = await stripe.refunds.create(params, { idempotencyKey: refund.key });
    return await readLatest(stripe, made);
  } catch (error) {
    const why = readRefusal(error);
    if (why !== undefined) return refuse(why);
    if (isStuck(error)) return findStuck(stripe, refund, error);
    throw toFault(error, `refund ${refund.key}`);
  }
}

/** A refund among those of its charge, which Stripe lists as they are. @throws Fault `unavailable`. */
export async function findRefund(stripe: Stripe, query: RefundQuery): Promise<FoundRefund> {
  return orFault(`find ${query.key}`, async () => {
    const intent = await findIntent(stripe, query.chargeKey);
    if (!intent) return { status: 'unknown' };
    const list = { payment_intent: intent.id, limit: MOST_REFUNDS };
    const { data } = await stripe.refunds.list(list);
    const refund = data.find(({ metadata }) => metadata?.[KEY_FIELD] === query.key);
    return refund ? readRefund(refund) : { status: 'unknown' };
  });
}

/** The charge is in the ledger, so that it is at Stripe: a search that does not show it shows it later. */
async function findCharged(
  stripe: Stripe,
  { chargeKey }: GatewayRefund,
): Promise<Stripe.PaymentIntent> {
  const intent = await findIntent(stripe, chargeKey);
  if (intent) return intent;
  const message = `Stripe's search does not show the charge ${chargeKey} yet`;
  throw new Fault('unavailable', message, { retryable: true });
}

function describe({ key, chargeKey, reference }: GatewayRefund): Stripe.Metadata {
  return { [KEY_FIELD]: key, [CHARGE_KEY_FIELD]: chargeKey, [REFERENCE_FIELD]: reference };
}

/** As with charges: a key that comes again gets its first answer. */
async function readLatest(stripe: Stripe, refund: Stripe.Refund): Promise<GatewayRefundOutcome> {
  const outcome = readRefund(refund);
  if (outcome.status !== 'pending') return outcome;
  return readRefund(await stripe.refunds.retrieve(refund.id));
}

async function findStuck(
  stripe: Stripe,
  refund: GatewayRefund,
  cause: unknown,
): Promise<GatewayRefundOutcome> {
  const found = await findRefund(stripe, refund);
  if (found.status === 'unknown') throw toFault(cause, `refund ${refund.key}`);
  return found;
}

function readRefund({ status, failure_reason: why }: Stripe.Refund): GatewayRefundOutcome {
  if (status === 'succeeded') return { status: 'refunded' };
  if (status === 'failed' || status === 'canceled') return refuse(why ?? status);
  return { status: 'pending' };
}

function refuse(why: string): GatewayRefundOutcome {
  return { status: 'refused', why };
}
