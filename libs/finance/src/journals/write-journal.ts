import type { Day, JournalRow } from '#domain/bookkeeping';
import { AccountNames } from '../accounts/account-names.js';
import type { JournalFormat } from '../accounts/name-rules.js';
import { gatherPieces, type Rows } from '../pieces.js';
import type { AccountTotal } from '../totals.js';
import { beancount } from './beancount.js';
import type { Dialect } from './dialect.js';
import { hledger, ledger } from './plain-text.js';
import { RunningBalances } from './running-balances.js';
import { gatherTransactions } from './transactions.js';
import { describeRows } from './describe-rows.js';

/** The choices for a journal that is written as text. */
export interface JournalOptions {
  /** The accounting zone, whose days count. */
  readonly zone: string;
  /** The trial balance of the same rows: the journal's head comes from it, and its end is held against it. */
  readonly totals: readonly AccountTotal[];
  /** Left out where accounts have their default names. */
  readonly names?: AccountNames;
}

const DIALECTS: Readonly<Record<JournalFormat, Dialect>> = { hledger, ledger, beancount };

/**
 * A journal for hledger, ledger or beancount, in pieces of text (rules/finance 21).
 *
 * @throws Defect where rows are not in the order of `comparePlaces`, or do not come to the totals.
 */
export function writeJournal(
  format: JournalFormat,
  rows: Rows<JournalRow>,
  options: JournalOptions,
): AsyncGenerator<string> {
  return gatherPieces(printJournal(format, rows, options));
}

async function* printJournal(
  format: JournalFormat,
  rows: Rows<JournalRow>,
  { zone, totals, names = new AccountNames() }: JournalOptions,
): AsyncGenerator<string> {
  const dialect = DIALECTS[format];
  const nameAccount = (account: string) => names.find(account).names[format];
  const named = totals.map((total) => [nameAccount(total.account), total] as const);
  const balances = new RunningBalances(
    named.map(([name, { currency }]) => [name, currency]),
    dialect.addsUpBelow,
  );
  let today: Day | undefined;
  for await (const { day, rows: entries } of gatherTransactions(rows, zone)) {
    if (today === undefined) yield dialect.printHead({ ...listNames(named), firstDay: day });
    else if (today !== day) yield dialect.printBalances(today, balances.takeChanged());
    today = day;
    const transaction = describeRows(day, entries, nameAccount);
    for (const posting of transaction.postings) balances.add(posting);
    yield dialect.printTransaction(transaction);
  }
  if (today !== undefined) yield dialect.printBalances(today, balances.takeChanged());
  balances.assertTotals(named);
}

function listNames(named: readonly (readonly [name: string, total: AccountTotal])[]) {
  return {
    names: [...new Set(named.map(([name]) => name))].sort(),
    currencies: [...new Set(named.map(([, { currency }]) => currency))].sort(),
  };
}
