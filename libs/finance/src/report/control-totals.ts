import type { AccountTotal } from '../totals.js';
import type { PeriodBooks } from './period-books.js';
import { sumRows } from './sums.js';

/** The control totals of a report: the debits and credits of its period. */
export async function sumTotals(books: PeriodBooks): Promise<AccountTotal[]> {
  const rows = await sumRows(books, {
    by: ['account', 'currency'],
    amounts: { debit: 'sum(debit_minor)', credit: 'sum(credit_minor)' },
    condition: books.booked,
    keepsZeros: true,
  });
  return rows.map((row) => ({
    ...{ account: String(row['account']), currency: String(row['currency']) },
    debitMinor: BigInt(row['debit_minor'] ?? 0),
    creditMinor: BigInt(row['credit_minor'] ?? 0),
  }));
}

/** Minor units as digits, since they may be beyond 2^53. */
export function toJsonTotal({ account, currency, debitMinor, creditMinor }: AccountTotal) {
  return { account, currency, debitMinor: String(debitMinor), creditMinor: String(creditMinor) };
}
