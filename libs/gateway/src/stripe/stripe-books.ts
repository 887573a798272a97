import type Stripe from 'stripe';
import { isId, readBucket } from '#domain/ids';
import type { BookedCharge, BookedDispute, BooksQuery, GatewayBooks } from '../gateway-books.js';
import { connectStripe, type StandIn, type StripeAccount } from './stripe-account.js';
import { fromStripeAmount } from './stripe-amounts.js';
import { askForBooks } from './stripe-errors.js';
import {
  findIntent,
  isOfOthers,
  KEY_FIELD,
  readDisputedAmount,
  readIntent,
  REFERENCE_FIELD,
  takesNothing,
} from './stripe-intents.js';
import { type Next, readPages } from './stripe-pages.js';

/** As many as Stripe gives at once. */
const PAGE = 100;

/**
 * Stripe's books (rules/stripe 7): the payment intents that were made since an instant, and those of refunds and
 * disputes that were. Others' acts in the account, without a key of ours or for another app, are left out.
 */
export function createStripeBooks(
  options: Pick<StripeAccount, 'appId' | 'secretKey'> & StandIn,
): GatewayBooks {
  const { appId } = options;
  const stripe = connectStripe(options.secretKey, options);
  return {
    kind: 'stripe',
    list: (query) => listCharges(stripe, appId, query),
    find: ({ key }) =>
      askForBooks(async () => {
        const intent = await findIntent(stripe, key);
        return intent && bookCharge(stripe, intent);
      }),
  };
}

async function* listCharges(
  stripe: Stripe,
  appId: string,
  { since, buckets, onProgress, signal }: BooksQuery,
): AsyncGenerator<readonly BookedCharge[]> {
  const isMeant = (intent: Stripe.PaymentIntent) =>
    !isOfOthers(intent.metadata, appId) && isInBuckets(intent.metadata[KEY_FIELD], buckets);
  const book = (intents: readonly Stripe.PaymentIntent[]) =>
    askForBooks(() => inTurn(intents.filter(isMeant), (intent) => bookCharge(stripe, intent)));
  const listed = new Set<string>();
  const made = { created: { gte: toSeconds(since) }, limit: PAGE };
  const expand = ['data.latest_charge'];
  const listMade = (next: Next) => stripe.paymentIntents.list({ ...made, expand, ...next });
  for await (const page of readPages(listMade, signal)) {
    for (const { id } of page) listed.add(id);
    yield await book(page);
  }
  onProgress(1 / 3);
  const lists = [
    (next: Next) => stripe.refunds.list({ ...made, ...next }),
    (next: Next) => stripe.disputes.list({ ...made, ...next }),
  ];
  for (const [index, list] of lists.entries()) {
    for await (const page of readPages<Stripe.Refund | Stripe.Dispute>(list, signal)) {
      const ids = new Set(page.map(readIntentId).filter((id) => id !== '' && !listed.has(id)));
      for (const id of ids) listed.add(id);
      yield await book(await askForBooks(() => inTurn([...ids], (id) => retrieve(stripe, id))));
    }
    onProgress((index + 2) / 3);
  }
}

/** The outcome of one intent. Refunds and disputes are asked for only where its charge says that there are some. */
async function bookCharge(stripe: Stripe, intent: Stripe.PaymentIntent): Promise<BookedCharge> {
  const { latest_charge: latest } = intent;
  const charge = latest && typeof latest === 'object' ? latest : undefined;
  const about = { payment_intent: intent.id, limit: PAGE };
  const refunds = charge?.amount_refunded ? (await stripe.refunds.list(about)).data : [];
  const disputes = charge?.disputed ? (await stripe.disputes.list(about)).data : [];
  const kept = refunds.filter(({ status }) => status !== 'failed' && status !== 'canceled');
  const { status } = readIntent(intent);
  const times = [intent, charge, ...kept, ...disputes].map((made) => made?.created ?? 0);
  return {
    key: intent.metadata[KEY_FIELD] ?? '',
    reference: intent.metadata[REFERENCE_FIELD] ?? '',
    amount: fromStripeAmount(intent.amount, intent.currency),
    status: status === 'challenge' ? 'pending' : status,
    changedAt: new Date(Math.max(...times) * 1000).toISOString(),
    refunds: kept.map(({ id, metadata, amount, currency }) => ({
      key: metadata?.[KEY_FIELD] ?? id,
      amount: fromStripeAmount(amount, currency),
    })),
    disputes: disputes.filter((one) => !takesNothing(one)).map((one) => bookDispute(one, intent)),
  };
}

function bookDispute(dispute: Stripe.Dispute, intent: Stripe.PaymentIntent): BookedDispute {
  const { id: disputeId, status } = dispute;
  const won = status === 'won' || status === 'lost' ? status === 'won' : null;
  return { disputeId, amount: readDisputedAmount(dispute, intent), won };
}

/** One after the other: Stripe limits how much is asked at once, and charges go first. */
async function inTurn<T, R>(all: readonly T[], act: (one: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (const one of all) results.push(await act(one));
  return results;
}

function retrieve(stripe: Stripe, id: string): Promise<Stripe.PaymentIntent> {
  return stripe.paymentIntents.retrieve(id, { expand: ['latest_charge'] });
}

function readIntentId({ payment_intent: of }: Stripe.Refund | Stripe.Dispute): string {
  return typeof of === 'string' ? of : (of?.id ?? '');
}

function isInBuckets(key: string | undefined, buckets: BooksQuery['buckets']): boolean {
  if (key === undefined || buckets === undefined) return key !== undefined;
  if (!isId('pay', key)) return false;
  const bucket = Number.parseInt(readBucket(key), 16);
  return buckets.some(({ first, last }) => first <= bucket && bucket <= last);
}

function toSeconds(instant: string): number {
  return Math.floor(Date.parse(instant) / 1000);
}
