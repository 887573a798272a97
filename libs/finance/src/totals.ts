import type { JournalRow } from '#domain/bookkeeping';
import type { Rows } from './pieces.js';

/** A line of a trial balance, in minor units. */
export interface AccountTotal {
  /** By its default name. */
  readonly account: string;
  readonly currency: string;
  readonly debitMinor: bigint;
  readonly creditMinor: bigint;
}

/** The trial balance of rows, by account and currency. */
export async function totalRows(rows: Rows<JournalRow>): Promise<AccountTotal[]> {
  const totals = new Map<string, AccountTotal>();
  for await (const { account, currency, side, amountMinor } of rows) {
    const key = `${account} ${currency}`;
    const { debitMinor = 0n, creditMinor = 0n } = totals.get(key) ?? {};
    totals.set(key, {
      ...{ account, currency },
      debitMinor: side === 'debit' ? debitMinor + amountMinor : debitMinor,
      creditMinor: side === 'credit' ? creditMinor + amountMinor : creditMinor,
    });
  }
  const keys = [...totals.keys()].sort();
  return keys.flatMap((key) => totals.get(key) ?? []);
}
