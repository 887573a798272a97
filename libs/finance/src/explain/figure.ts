import type { AccountingPeriod, JournalRow } from '#domain/bookkeeping';
import { NUMBER, type PeriodBooks, RECOGNIZED } from '../report/period-books.js';
import { printSql } from '../report/print-summary.js';
import type { ReportRow } from '../report/report.js';
import { SIGNED, sumRows } from '../report/sums.js';
import { describeRule } from './rule-words.js';

/** So many entries of a figure are named: a person reads them, and `journal` has all of them. */
const MOST_ENTRIES = 20;
/** Rows of an amount in the order of the books: the answer is the same each time. */
const LARGEST_FIRST = `coalesce(debit_minor, credit_minor) DESC, leaf, ${NUMBER}, ${RECOGNIZED}`;

const DEBITS = 'coalesce(sum(debit_minor), 0)::BIGINT AS debit_minor';
const CREDITS = 'coalesce(sum(credit_minor), 0)::BIGINT AS credit_minor';

/** The entries of one rule in one currency. */
interface RuleGroup {
  readonly currency: string;
  readonly rule: string;
  readonly because: string;
  readonly entries: number;
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
}

/** The figures of an account in a period, and the entries that they are the sums of. */
export interface ExplainedFigure {
  readonly kind: 'figure';
  readonly account: string;
  readonly period: AccountingPeriod;
  /** By currency: as the trial balance has them. */
  readonly balances: readonly ReportRow[];
  readonly rules: readonly RuleGroup[];
  /** The largest ones. */
  readonly entries: readonly JournalRow[];
  /** How many others there are. */
  readonly others: number;
}

/** @throws Fault of the store. */
export async function explainFigure(books: PeriodBooks, account: string): Promise<ExplainedFigure> {
  const own = `account = ${printSql(account, 'VARCHAR')}`;
  const inPeriod = `FILTER (WHERE ${books.booked})`;
  const amounts = {
    opening: `sum(${SIGNED}) FILTER (WHERE NOT (${books.booked}))`,
    debit: `sum(debit_minor) ${inPeriod}`,
    credit: `sum(credit_minor) ${inPeriod}`,
    closing: `sum(${SIGNED})`,
  };
  const condition = `${books.counted} AND ${own}`;
  const keepsZeros = true;
  const balances = await sumRows(books, { by: ['currency'], amounts, condition, keepsZeros });
  const groups = await books.books.all(
    `SELECT currency, rule, count(*)::BIGINT AS entries, ${DEBITS}, ${CREDITS} FROM entries ` +
      `WHERE ${books.booked} AND ${own} GROUP BY currency, rule ORDER BY currency, rule`,
  );
  const entries: JournalRow[] = [];
  for await (const row of books.books.rows(`${books.booked} AND ${own}`, LARGEST_FIRST)) {
    entries.push(row);
    if (entries.length === MOST_ENTRIES) break;
  }
  const rules = groups.map((group) => toGroup(group as ReportRow));
  const count = rules.reduce((sum, group) => sum + group.entries, 0);
  const others = count - entries.length;
  const { period } = books.scope;
  return { kind: 'figure', account, period, balances, rules, entries, others };
}

function toGroup({ currency, rule, entries, debit_minor, credit_minor }: ReportRow): RuleGroup {
  return {
    ...{ currency: String(currency), rule: String(rule), because: describeRule(String(rule)) },
    ...{ entries: Number(entries), debitMinor: BigInt(debit_minor ?? 0) },
    creditMinor: BigInt(credit_minor ?? 0),
  };
}
