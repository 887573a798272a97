import type Stripe from 'stripe';
import { toMajorText } from '#domain/pricing';
import { decimalsAtStripe } from '#domain/settlement';
import { Fault } from '#platform';
import type { PayoutRow } from '../gateway-payouts.js';
import { connectStripe, type StandIn, type StripeAccount } from './stripe-account.js';
import { orFault } from './stripe-errors.js';
import { APP_FIELD, KEY_FIELD } from './stripe-intents.js';
import { readPages } from './stripe-pages.js';

/** As many as Stripe gives at once. */
const PAGE = 100;
/** A payout of more rows is imported as a report, which is read row by row. */
const MAX_ROWS = 100_000;

/** A part of a transaction's source, whichever object that is. */
interface Source {
  readonly id: string;
  readonly object: string;
  readonly amount?: number;
  readonly currency?: string;
  readonly charge?: string | { readonly id: string } | null;
  readonly payment_intent?: string | { readonly id: string } | null;
  readonly metadata?: Stripe.Metadata | null;
}

/**
 * The rows of a payout by Stripe's API, in the columns of its reports (rules/stripe 10).
 *
 * @returns undefined for a payout that the account does not have. @throws Fault `unavailable`, or `refused` for too many.
 */
export async function readStripePayout(
  account: Pick<StripeAccount, 'secretKey'> & StandIn,
  payoutId: string,
  signal: AbortSignal,
): Promise<readonly PayoutRow[] | undefined> {
  const stripe = connectStripe(account.secretKey, account);
  const payout = await findPayout(stripe, payoutId);
  if (payout === undefined) return undefined;
  const transactions: Stripe.BalanceTransaction[] = [];
  const about = { payout: payoutId, limit: PAGE, expand: ['data.source'] };
  const list = (next: object) => stripe.balanceTransactions.list({ ...about, ...next });
  for await (const page of readPages(list, signal)) {
    transactions.push(...page);
    if (transactions.length > MAX_ROWS) throw tooMany(payoutId);
  }
  const itself = payout.balance_transaction;
  // The list may be without the payout's own transaction.
  if (itself !== null && typeof itself === 'object') {
    if (transactions.every(({ id }) => id !== itself.id)) transactions.push(itself);
  }
  const rows: PayoutRow[] = [];
  for (const transaction of transactions) {
    rows.push(await toRow(stripe, transaction, payout));
  }
  return rows;
}

async function findPayout(stripe: Stripe, id: string): Promise<Stripe.Payout | undefined> {
  return orFault('show a payout', async () => {
    try {
      return await stripe.payouts.retrieve(id, { expand: ['balance_transaction.source'] });
    } catch (error) {
      const isMissing = error instanceof Error && 'code' in error && error.code === NOT_THERE;
      if (isMissing) return undefined;
      throw error;
    }
  });
}

const NOT_THERE = 'resource_missing';

async function toRow(
  stripe: Stripe,
  transaction: Stripe.BalanceTransaction,
  payout: Stripe.Payout,
): Promise<PayoutRow> {
  const { currency, amount, fee, net, reporting_category } = transaction;
  const given = transaction.source;
  const source: Source = given !== null && typeof given === 'object' ? given : NO_SOURCE;
  const isItself = source.object === 'payout';
  const print = (minor: number) => printAmount(minor, currency);
  return {
    balance_transaction_id: transaction.id,
    created_utc: printTime(transaction.created),
    available_on_utc: printTime(transaction.available_on),
    ...{ currency, gross: print(amount), fee: print(fee), net: print(net), reporting_category },
    source_id: source.id,
    charge_id: source.object === 'charge' ? source.id : readId(source.charge),
    payment_intent_id: readId(source.payment_intent),
    ...describeCharged(transaction, source),
    ...(await describePayment(stripe, source)),
    ...(source.object === 'refund' && {
      'refund_metadata[subledger_key]': source.metadata?.[KEY_FIELD] ?? '',
    }),
    automatic_payout_id: isItself ? '' : payout.id,
    automatic_payout_effective_at_utc: isItself ? '' : printTime(payout.arrival_date),
  };
}

const NO_SOURCE: Source = { id: '', object: '' };

/** The player's amount, signed as the row is, where it is in another currency. */
function describeCharged(
  { amount, currency }: Stripe.BalanceTransaction,
  source: Source,
): PayoutRow {
  if (source.amount === undefined || source.currency === undefined) return {};
  if (source.currency === currency || source.object === 'payout') return {};
  const signed = amount < 0 ? -Math.abs(source.amount) : Math.abs(source.amount);
  return {
    customer_facing_currency: source.currency,
    customer_facing_amount: printAmount(signed, source.currency),
  };
}

/** Our payment and its app: charges have their intent's metadata, refunds and disputes have their own. */
async function describePayment(stripe: Stripe, source: Source): Promise<PayoutRow> {
  const intentId = readId(source.payment_intent);
  const own = source.object === 'charge' ? source.metadata : undefined;
  const isOwn = own?.[KEY_FIELD] !== undefined || intentId === '';
  const metadata = isOwn ? own : await readIntentMetadata(stripe, intentId);
  return {
    'payment_metadata[subledger_key]': metadata?.[KEY_FIELD] ?? '',
    'payment_metadata[subledger_app]': metadata?.[APP_FIELD] ?? '',
  };
}

async function readIntentMetadata(stripe: Stripe, id: string): Promise<Stripe.Metadata> {
  const intent = await orFault('show a payment', () => stripe.paymentIntents.retrieve(id));
  return intent.metadata;
}

function readId(named: Source['charge']): string {
  return typeof named === 'string' ? named : (named?.id ?? '');
}

/** Seconds since 1970, as reports print a moment of UTC. */
function printTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Stripe's minor units, as its reports print an amount. */
function printAmount(minor: number, currency: string): string {
  const decimals = decimalsAtStripe(currency.toUpperCase());
  return `${minor < 0 ? '-' : ''}${toMajorText(BigInt(Math.abs(minor)), decimals)}`;
}

function tooMany(payoutId: string): Fault {
  const message = `${payoutId} has more than ${MAX_ROWS} rows: import it as a file, whatever its size.`;
  return new Fault('refused', message, { retryable: false });
}
