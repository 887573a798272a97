import Stripe from 'stripe';
import type { Clock } from '#platform';
import type {
  GatewayNotice,
  NoticeReader,
  NoticeReading,
  ReceivedNotice,
} from '../gateway-notice.js';
import { connectStripe, type StandIn, type StripeAccount } from './stripe-account.js';
import { fromStripeAmount } from './stripe-amounts.js';
import { orFault } from './stripe-errors.js';
import {
  CHARGE_KEY_FIELD,
  isOfOthers,
  KEY_FIELD,
  readDisputedAmount,
  readIntent,
  takesNothing,
} from './stripe-intents.js';

const SIGNATURE_HEADER = 'stripe-signature';
/** A notice that is older may be a replay. */
const TOLERANCE_SECONDS = 5 * 60;

interface NoticeOptions {
  /** How an app is known at Stripe; undefined where Stripe does not serve it. */
  readonly findAccount: (appId: string) => Promise<(StripeAccount & StandIn) | undefined>;
  readonly clock: Clock;
}

/**
 * Stripe's events as notices (rules/payments 15, rules/stripe 6). The SDK verifies the signature over the bytes; the app is
 * in the address and its endpoint has a secret of its own, so that none signs for another. Where several have one
 * account, each endpoint gets the events of all: those of others are dropped (decision 0027).
 */
export function createStripeNotices(options: NoticeOptions): NoticeReader {
  return {
    read: async (received) => {
      const account = await options.findAccount(received.appId);
      if (!account) return { genuine: false, why: 'Stripe does not serve this app.' };
      const event = verify(received, account, options.clock);
      if ('genuine' in event) return event;
      const stripe = connectStripe(account.secretKey, account);
      return { genuine: true, notices: await readEvent(stripe, account.appId, event) };
    },
  };
}

function verify(
  { headers, body }: ReceivedNotice,
  { webhookSecret, isLive }: StripeAccount,
  clock: Clock,
): Stripe.Event | Extract<NoticeReading, { readonly genuine: false }> {
  const signature = headers[SIGNATURE_HEADER];
  if (typeof signature !== 'string') {
    return { genuine: false, why: 'The signature is missing or malformed.' };
  }
  const nowMs = Date.parse(clock.now());
  // The SDK refuses a signature that is too old, and none that is of the future.
  const seconds = Number(/(?:^|,)t=(\d{1,12})(?:,|$)/.exec(signature)?.[1]);
  if (seconds > nowMs / 1000 + TOLERANCE_SECONDS) {
    return { genuine: false, why: 'The timestamp is over 5 minutes off.' };
  }
  try {
    const { webhooks } = Stripe;
    const event = webhooks.constructEvent(
      ...([body, signature, webhookSecret, TOLERANCE_SECONDS, undefined, nowMs] as const),
    );
    if (event.livemode === isLive) return event;
    // A test card pays for nothing in a production app (decision 0027).
    return { genuine: false, why: 'The event is of the other mode than the app.' };
  } catch {
    return { genuine: false, why: 'The signature does not match, or is over 5 minutes off.' };
  }
}

/** The notices of an event about payments of ours: mostly one, and none where it is not followed here. */
async function readEvent(
  stripe: Stripe,
  appId: string,
  event: Stripe.Event,
): Promise<readonly GatewayNotice[]> {
  switch (event.type) {
    case 'payment_intent.succeeded':
    case 'payment_intent.payment_failed':
    case 'payment_intent.canceled':
      return readSettled(event.data.object, appId);
    case 'charge.dispute.created':
    case 'charge.dispute.updated':
    case 'charge.dispute.closed':
      return readDispute(stripe, appId, event.data.object);
    case 'refund.updated':
    case 'refund.failed':
      return readFailedRefund(event.data.object, appId);
    default:
      return [];
  }
}

function readSettled(intent: Stripe.PaymentIntent, appId: string): readonly GatewayNotice[] {
  const chargeKey = readKey(intent, appId);
  const outcome = readIntent(intent);
  if (chargeKey === undefined || outcome.status === 'pending' || outcome.status === 'challenge') {
    return [];
  }
  const amount = fromStripeAmount(intent.amount, intent.currency);
  return [{ kind: 'charge_settled', chargeKey, outcome, amount }];
}

/** The account may be another app's, too: its payments are left to that app. */
function readKey({ metadata }: Stripe.PaymentIntent, appId: string): string | undefined {
  return isOfOthers(metadata, appId) ? undefined : metadata[KEY_FIELD];
}

/** A dispute names its payment intent, and neither our key nor the app, so that Stripe is asked for it. */
async function readDispute(
  stripe: Stripe,
  appId: string,
  dispute: Stripe.Dispute,
): Promise<readonly GatewayNotice[]> {
  const { id: disputeId, status, payment_intent: reference } = dispute;
  if (takesNothing(dispute) || reference === null) return [];
  const id = typeof reference === 'string' ? reference : reference.id;
  const intent = await orFault(`find the disputed ${id}`, () => stripe.paymentIntents.retrieve(id));
  const chargeKey = readKey(intent, appId);
  if (chargeKey === undefined) return [];
  const about = { chargeKey, disputeId, amount: readDisputedAmount(dispute, intent) };
  if (status === 'won' || status === 'lost') {
    return [{ kind: 'dispute_closed', ...about, won: status === 'won' }];
  }
  return [{ kind: 'dispute_opened', ...about }];
}

function readFailedRefund(
  { metadata, status }: Stripe.Refund,
  appId: string,
): readonly GatewayNotice[] {
  if (isOfOthers(metadata, appId)) return [];
  const refundKey = metadata?.[KEY_FIELD];
  const chargeKey = metadata?.[CHARGE_KEY_FIELD];
  const hasFailed = status === 'failed' || status === 'canceled';
  if (refundKey === undefined || chargeKey === undefined || !hasFailed) return [];
  return [{ kind: 'refund_failed', chargeKey, refundKey }];
}
