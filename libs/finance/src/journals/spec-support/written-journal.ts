import type { JournalRow } from '#domain/bookkeeping';
import { decimalsOf } from '#domain/money';
import { AccountNames } from '../../accounts/account-names.js';
import type { JournalFormat } from '../../accounts/name-rules.js';
import { comparePlaces, createPlacer } from '../journal-order.js';
import { writeJournal } from '../write-journal.js';
import { join } from '../../spec-support/join.js';
import { totalRows } from '../../totals.js';

/** Rows in the order of a journal that is written as text. */
export function sortForJournal(rows: readonly JournalRow[], zone: string): JournalRow[] {
  return rows
    .map(createPlacer(zone))
    .sort(comparePlaces)
    .map(({ row }) => row);
}

/** The journal of rows in any order. */
export async function writeWhole(
  format: JournalFormat,
  rows: readonly JournalRow[],
  zone: string,
  names = new AccountNames(),
): Promise<string> {
  const totals = await totalRows(rows);
  return join(writeJournal(format, sortForJournal(rows, zone), { zone, totals, names }));
}

/** Our trial balance, as `account currency amount`, without accounts that hold nothing; sorted. */
export async function listExpected(
  rows: readonly JournalRow[],
  format: JournalFormat,
  names = new AccountNames(),
): Promise<string[]> {
  const balances = new Map<string, { readonly currency: string; readonly minor: bigint }>();
  for (const { account, currency, debitMinor, creditMinor } of await totalRows(rows)) {
    const key = `${names.find(account).names[format]} ${currency}`;
    const before = balances.get(key)?.minor ?? 0n;
    balances.set(key, { currency, minor: before + debitMinor - creditMinor });
  }
  return [...balances]
    .filter(([, { minor }]) => minor !== 0n)
    .map(([key, { currency, minor }]) => `${key} ${printMajor(minor, decimalsOf(currency))}`)
    .sort();
}

function printMajor(minor: bigint, decimals: number): string {
  const digits = (minor < 0n ? -minor : minor).toString().padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  const text = decimals === 0 ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`;
  return minor < 0n ? `-${text}` : text;
}
