import { DateTime } from 'luxon';
import { fromMilliseconds } from '../calendar/index.js';
import type { FieldViolation } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { isCurrency, type Money, money } from '../money/index.js';
import { hasLength, isOneLine } from '../text/index.js';
import { CATEGORIES, isCategory } from './categories.js';
import type { Payout, SettlementRow } from './settlement.events.js';
import { readStripeAmount } from './stripe-amount.js';

/** A row's cells by the names of their columns. */
export type Cells = Readonly<Record<string, string>>;

/** A row that can be imported. */
export interface ParsedRow {
  readonly row: SettlementRow;
  /** Null where the report has no columns of payouts, or the row is in none yet. */
  readonly payout: Payout | null;
  /** The app that the charge was made for; empty where the row does not say it. */
  readonly appId: string;
}

const REQUIRED = [
  'balance_transaction_id',
  'currency',
  'gross',
  'fee',
  'net',
  'reporting_category',
];
const MAX_ID_LENGTH = 255;

/** The columns that a report lacks, of those that every import needs. */
export function findMissingColumns(columns: readonly string[]): string[] {
  const missing = REQUIRED.filter((name) => !columns.includes(name));
  const hasTime = columns.includes('created_utc') || columns.includes('created');
  return hasTime ? missing : [...missing, 'created_utc'];
}

/**
 * Reads a row of Stripe's itemized reports of balance changes and of payouts (rules/finance 32).
 *
 * @param number of the row in its file, for messages.
 * @param zone of the report's times whose column does not say UTC.
 */
export function parseStripeRow(
  cells: Cells,
  number: number,
  zone: string,
): ParsedRow | { readonly violations: readonly FieldViolation[] } {
  const violations: FieldViolation[] = [];
  const refuse = (column: string, description: string) =>
    void violations.push({ field: `row ${number}, ${column}`, description });
  const category = cells['reporting_category'] ?? '';
  const ids = readIds(cells, refuse);
  if (!isCategory(category)) {
    const known = Object.keys(CATEGORIES).join(', ');
    refuse('reporting_category', `${JSON.stringify(category)} has no account; known are ${known}`);
  }
  const amounts = readAmounts(cells, refuse);
  const createdAt = readTime(cells, zone);
  if (createdAt === undefined) {
    refuse('created_utc', 'must be a time such as 2026-01-31 10:00:00');
  }
  const effectiveOn = readDay(cells, 'automatic_payout_effective_at', refuse);
  const availableOn = readDay(cells, 'available_on', refuse);
  if (violations.length > 0 || createdAt === undefined || !isCategory(category)) {
    return { violations };
  }
  const payoutId = cells['automatic_payout_id'] ?? '';
  return {
    row: { ...ids, category, createdAt, availableOn, ...amounts },
    payout: payoutId === '' ? null : { payoutId, effectiveOn },
    appId: cells['payment_metadata[subledger_app]'] ?? '',
  };
}

type Refuse = (column: string, description: string) => void;

function readIds(cells: Cells, refuse: Refuse) {
  const read = (column: string) => {
    const text = cells[column] ?? '';
    if (!isOneLine(text) || !hasLength(text, 0, MAX_ID_LENGTH)) refuse(column, 'is no id');
    return text;
  };
  const transactionId = read('balance_transaction_id');
  if (transactionId === '') {
    refuse('balance_transaction_id', 'is empty: a row without an id may be any other one');
  }
  read('automatic_payout_id');
  return {
    transactionId,
    sourceId: read('source_id'),
    chargeId: read('charge_id'),
    paymentIntentId: read('payment_intent_id'),
    paymentId: read('payment_metadata[subledger_key]'),
    refundId: read('refund_metadata[subledger_key]'),
  };
}

function readAmounts(cells: Cells, refuse: Refuse) {
  const currency = readCurrency(cells, 'currency', refuse);
  const read = (column: string) => readAmount(cells, column, currency, refuse);
  const [grossMinor, feeMinor, netMinor] = [read('gross'), read('fee'), read('net')];
  if (BigInt(grossMinor) - BigInt(feeMinor) !== BigInt(netMinor)) {
    refuse('net', 'must be gross less fee');
  }
  return {
    currency,
    grossMinor,
    feeMinor,
    netMinor,
    charged: readCharged(cells, currency, refuse),
  };
}

/** The player's amount, where it is of another currency than the account's. */
function readCharged(cells: Cells, ofAccount: string, refuse: Refuse): Money | null {
  if ((cells['customer_facing_currency'] ?? '') === '') return null;
  const currency = readCurrency(cells, 'customer_facing_currency', refuse);
  if (currency === '' || currency === ofAccount) return null;
  return money(readAmount(cells, 'customer_facing_amount', currency, refuse), currency);
}

/** Empty where it is none. */
function readCurrency(cells: Cells, column: string, refuse: Refuse): string {
  const currency = (cells[column] ?? '').toUpperCase();
  if (isCurrency(currency)) return currency;
  refuse(column, `${JSON.stringify(cells[column] ?? '')} is not a currency of ISO 4217`);
  return '';
}

function readAmount(cells: Cells, column: string, currency: string, refuse: Refuse): string {
  if (currency === '') return '0';
  const read = readStripeAmount(cells[column] ?? '', currency);
  if ('minor' in read) return read.minor;
  refuse(column, `${read.wanted}, not ${JSON.stringify(cells[column] ?? '')}`);
  return '0';
}

function readTime(cells: Cells, zone: string): Instant | undefined {
  const utc = cells['created_utc'];
  const text = utc ?? cells['created'] ?? '';
  const form = 'yyyy-MM-dd HH:mm:ss';
  const time = DateTime.fromFormat(text, form, { zone: utc === undefined ? zone : 'UTC' });
  return time.isValid ? fromMilliseconds(time.toMillis()) : undefined;
}

/** The day of a column, or of its twin in UTC; null where the report has none. */
function readDay(cells: Cells, column: string, refuse: Refuse): string | null {
  const text = cells[`${column}_utc`] ?? cells[column] ?? '';
  if (text === '') return null;
  const day = text.slice(0, 10);
  if (/^\d{4}-\d{2}-\d{2}(?: \d{2}:\d{2}:\d{2})?$/.test(text) && DateTime.fromISO(day).isValid) {
    return day;
  }
  refuse(column, `must be a day such as 2026-01-31, not ${JSON.stringify(text)}`);
  return null;
}
