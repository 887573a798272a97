import type { AccountTotal } from '../totals.js';
import { readJournal } from '../report/journal.js';
import { sumTotals } from '../report/control-totals.js';
import type { WithBooks } from '../report/read-books.js';
import { type CloseScope, withPeriod } from './closed-books.js';
import { compareJournals, type EntryDifference } from './journal-differences.js';

/** A sum of a closed period, as it was closed and as it is known. */
export interface RestatedTotal {
  readonly account: string;
  readonly currency: string;
  /** Debits above zero, in minor units. */
  readonly closedMinor: bigint;
  readonly knownMinor: bigint;
}

/** A closed period beside the figures that it would have at a later checkpoint. */
export interface Restatement {
  readonly totals: readonly RestatedTotal[];
  /** Every entry of the difference. */
  readonly entries: readonly EntryDifference[];
}

/**
 * Compares a close with the same period as it would be closed at a later checkpoint (rules/finance 31). Nothing is
 * changed.
 *
 * @param closed as of the close. @param known as of a later checkpoint, `openFrom` the period. @throws Fault.
 */
export function restateClose(
  closed: CloseScope,
  known: CloseScope,
  withBooks: WithBooks,
): Promise<Restatement> {
  return withPeriod(closed, withBooks, (was) =>
    withPeriod(known, withBooks, async (is) => {
      const entries: EntryDifference[] = [];
      for await (const entry of compareJournals(readJournal(was), readJournal(is))) {
        entries.push(entry);
      }
      return { totals: compareTotals(await sumTotals(was), await sumTotals(is)), entries };
    }),
  );
}

function compareTotals(
  closed: readonly AccountTotal[],
  known: readonly AccountTotal[],
): RestatedTotal[] {
  const totals = new Map<string, RestatedTotal>();
  const add = (
    { account, currency, debitMinor, creditMinor }: AccountTotal,
    side: 'closedMinor' | 'knownMinor',
  ) => {
    const key = `${account} ${currency}`;
    const before = totals.get(key) ?? { account, currency, closedMinor: 0n, knownMinor: 0n };
    totals.set(key, { ...before, [side]: debitMinor - creditMinor });
  };
  for (const total of closed) add(total, 'closedMinor');
  for (const total of known) add(total, 'knownMinor');
  return [...totals.keys()].sort().flatMap((key) => totals.get(key) ?? []);
}
