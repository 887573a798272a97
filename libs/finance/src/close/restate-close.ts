import type { AccountingPeriod, JournalRow } from '#domain/bookkeeping';
import { SealReader } from '#sealing';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import type { AccountTotal } from '../totals.js';
import { readJournal } from '../report/journal.js';
import { sumTotals } from '../report/control-totals.js';
import type { WithBooks } from '../report/read-books.js';
import { withPeriod } from './closed-books.js';
import { compareJournals, type EntryDifference } from './journal-differences.js';
import { requireClose } from './verify-closes.js';

/** A sum of a closed period, as it was closed and as it is known. */
export interface RestatedTotal {
  readonly account: string;
  readonly currency: string;
  /** Debits above zero, in minor units. */
  readonly closedMinor: bigint;
  readonly knownMinor: bigint;
}

/** A closed period beside the figures that it would have if it were closed at the last checkpoint. */
export interface Restatement {
  readonly period: AccountingPeriod;
  /** The sizes of both checkpoints. */
  readonly closedAt: number;
  readonly knownAt: number;
  readonly totals: readonly RestatedTotal[];
  /** Every entry of the difference. */
  readonly entries: readonly EntryDifference[];
}

/**
 * Compares a close with the same period as it would be closed at the last checkpoint (rules/finance 31). Nothing is
 * changed.
 *
 * @throws FinanceRefusal for a period that is not closed; Fault.
 */
export async function restateClose(
  app: FinanceApp,
  period: AccountingPeriod,
  withBooks: WithBooks,
): Promise<Restatement> {
  const [closed, last] = await findEnds(app, period);
  const scope = { app, period };
  return withPeriod({ ...scope, upTo: closed }, withBooks, (was) =>
    withPeriod({ ...scope, upTo: last, openFrom: period }, withBooks, async (is) => {
      const entries: EntryDifference[] = [];
      for await (const entry of compareJournals(readJournal(was), readJournal(is))) {
        entries.push(entry);
      }
      const totals = compareTotals(await sumTotals(was), await sumTotals(is));
      const [closedAt, knownAt] = [closed.checkpoint.size, last.checkpoint.size];
      return { period, closedAt, knownAt, totals, entries };
    }),
  );
}

/** The checkpoint of a close, and the last one. */
async function findEnds(app: FinanceApp, period: AccountingPeriod) {
  const { size } = await requireClose(app, period);
  const reader = new SealReader(app.store);
  const [closed, last] = [await reader.find(size), await reader.findLast()];
  if (closed !== undefined && last !== undefined) return [closed, last] as const;
  const message = `The checkpoint of ${size} leaves is not there: "subledger seal verify" tells more.`;
  throw new FinanceRefusal('SEAL_CHECKPOINT_NOT_FOUND', message);
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

/** A restatement for programs: minor units are digits, since they may be beyond 2^53. */
export function toJsonRestatement({ totals, entries, ...about }: Restatement) {
  return {
    ...about,
    totals: totals.map(({ account, currency, closedMinor, knownMinor }) => ({
      ...{ account, currency },
      ...{ closedMinor: String(closedMinor), knownMinor: String(knownMinor) },
    })),
    entries: entries.map(({ entry, closed, known }) => ({
      entry,
      closed: toJsonRow(closed),
      known: toJsonRow(known),
    })),
  };
}

function toJsonRow(row: JournalRow | null) {
  if (row === null) return null;
  const { account, side, amountMinor, currency, effectiveOn, eventType, payment } = row;
  return {
    ...{ account, side, amountMinor: String(amountMinor), currency, effectiveOn },
    ...{ eventType, payment },
  };
}
