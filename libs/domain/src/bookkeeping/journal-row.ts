import { decimalsOf } from '../money/index.js';
import { toMajorText } from '../pricing/index.js';
import type { Environment, Instant } from '../event/index.js';

/** A day of an accounting zone, `2026-01-31`: sorts as text. */
export type Day = string;

/** A month of an accounting zone, `2026-01`: sorts as text. */
export type AccountingPeriod = string;

/** One debit or credit of the journal, as books and exports hold it (rules/finance 2). */
export interface JournalRow {
  readonly app: string;
  readonly environment: Environment;
  readonly eventId: string;
  /** Of the entry among those of its event, from 1. */
  readonly number: number;
  /** The period that a recognition is for; empty for an entry of the event itself. */
  readonly recognized: AccountingPeriod;
  /** The event's booking number. */
  readonly leaf: bigint;
  /** The moment of the first checkpoint that has the leaf. */
  readonly bookedAt: Instant;
  readonly effectiveOn: Day;
  /** The booked period. */
  readonly period: AccountingPeriod;
  /** Whether the effective day is of a period that was closed before. */
  readonly late: boolean;
  /** By its default name, `liabilities:tax-payable:DE`. */
  readonly account: string;
  readonly side: 'debit' | 'credit';
  /** In minor units, above zero. */
  readonly amountMinor: bigint;
  readonly currency: string;
  /** The version of the rules and the rule, `rules.v1/captured`. */
  readonly rule: string;
  readonly eventType: string;
  readonly stream: string;
  readonly payment: string;
  readonly subscription: string;
  readonly order: string;
  readonly plan: string;
  readonly itemClass: string;
  readonly country: string;
  /** A decimal fraction, `0.19`; empty where the entry has no tax. */
  readonly taxRate: string;
  /** Null where the entry has no tax. */
  readonly taxRatesVersion: number | null;
  /** The first day of the time that the entry is for; null where it is for none. */
  readonly coversFrom: Day | null;
  /** The day behind that time's last one. */
  readonly coversUntil: Day | null;
  readonly gatewayRef: string;
  readonly actor: string;
  readonly reason: string;
}

/** A value of a row before a format writes it. */
export type Cell = string | bigint | number | boolean | null;

/** A column of the journal: its name, its type in Parquet (none where Parquet has it not), and its value. */
export interface JournalColumn {
  readonly name: string;
  /** Left out where the value is a folder's name, or a decimal for people. */
  readonly parquet?: 'VARCHAR' | 'BIGINT' | 'INTEGER' | 'BOOLEAN' | 'DATE' | 'TIMESTAMPTZ';
  readonly value: (row: JournalRow) => Cell;
}

/** The columns of `journal.csv`, in their order; Parquet has those with a type (rules/finance 3). */
export const JOURNAL_COLUMNS: readonly JournalColumn[] = [
  { name: 'entry', parquet: 'VARCHAR', value: entryId },
  { name: 'leaf', parquet: 'BIGINT', value: ({ leaf }) => leaf },
  { name: 'booked_at', parquet: 'TIMESTAMPTZ', value: ({ bookedAt }) => bookedAt },
  { name: 'effective_on', parquet: 'DATE', value: ({ effectiveOn }) => effectiveOn },
  { name: 'period', value: ({ period }) => period },
  { name: 'late', parquet: 'BOOLEAN', value: ({ late }) => late },
  { name: 'account', parquet: 'VARCHAR', value: ({ account }) => account },
  { name: 'debit_minor', parquet: 'BIGINT', value: (row) => amountOn(row, 'debit') },
  { name: 'credit_minor', parquet: 'BIGINT', value: (row) => amountOn(row, 'credit') },
  { name: 'amount', value: printSigned },
  { name: 'currency', parquet: 'VARCHAR', value: ({ currency }) => currency },
  { name: 'exponent', parquet: 'INTEGER', value: ({ currency }) => decimalsOf(currency) },
  { name: 'app', parquet: 'VARCHAR', value: ({ app }) => app },
  { name: 'environment', value: ({ environment }) => environment },
  { name: 'rule', parquet: 'VARCHAR', value: ({ rule }) => rule },
  { name: 'event_id', parquet: 'VARCHAR', value: ({ eventId }) => eventId },
  { name: 'event_type', parquet: 'VARCHAR', value: ({ eventType }) => eventType },
  { name: 'stream', parquet: 'VARCHAR', value: ({ stream }) => stream },
  { name: 'payment', parquet: 'VARCHAR', value: ({ payment }) => payment },
  { name: 'subscription', parquet: 'VARCHAR', value: ({ subscription }) => subscription },
  { name: 'order', parquet: 'VARCHAR', value: ({ order }) => order },
  { name: 'plan', parquet: 'VARCHAR', value: ({ plan }) => plan },
  { name: 'item_class', parquet: 'VARCHAR', value: ({ itemClass }) => itemClass },
  { name: 'country', parquet: 'VARCHAR', value: ({ country }) => country },
  { name: 'tax_rate', parquet: 'VARCHAR', value: ({ taxRate }) => taxRate },
  { name: 'tax_rates_version', parquet: 'INTEGER', value: (row) => row.taxRatesVersion },
  { name: 'covers_from', parquet: 'DATE', value: ({ coversFrom }) => coversFrom },
  { name: 'covers_until', parquet: 'DATE', value: ({ coversUntil }) => coversUntil },
  { name: 'gateway_ref', parquet: 'VARCHAR', value: ({ gatewayRef }) => gatewayRef },
  { name: 'actor', parquet: 'VARCHAR', value: ({ actor }) => actor },
  { name: 'reason', parquet: 'VARCHAR', value: ({ reason }) => reason },
];

/** The entry's id: `<event id>#2`, and `<event id>#2/2026-01` of a recognition. */
export function entryId({ eventId, number, recognized }: JournalRow): string {
  return `${eventId}#${number}${recognized === '' ? '' : `/${recognized}`}`;
}

/** In this order rows stand in every file: no two are equal in it. */
export function compareRows(left: JournalRow, right: JournalRow): number {
  return (
    compare(left.app, right.app) ||
    compare(left.leaf, right.leaf) ||
    compare(left.number, right.number) ||
    compare(left.recognized, right.recognized)
  );
}

function compare<Value extends string | number | bigint>(left: Value, right: Value): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Nothing, not zero, on the other side: so a reader sees which side an entry is on. */
function amountOn(row: JournalRow, side: JournalRow['side']): bigint | null {
  return row.side === side ? row.amountMinor : null;
}

/** A debit as a positive decimal with the currency's digits, a credit as a negative one. */
function printSigned({ side, amountMinor, currency }: JournalRow): string {
  const text = toMajorText(amountMinor, decimalsOf(currency));
  return side === 'credit' ? `-${text}` : text;
}
