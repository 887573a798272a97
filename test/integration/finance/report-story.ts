import type { Poster } from '#books';
import type { JournalRow } from '#domain/bookkeeping';
import { makeRow } from '../../support/journal-rows.js';

/** Entries of events for tests of reports. */
export const CLEARING = 'assets:gateway-clearing';
export const DEFERRED = 'liabilities:deferred-subscriptions';
export const debit = (account: string, amountMinor: bigint, more: Partial<JournalRow> = {}) => ({
  ...{ account, side: 'debit' as const, amountMinor, ...more },
});
export const credit = (account: string, amountMinor: bigint, more: Partial<JournalRow> = {}) => ({
  ...{ account, side: 'credit' as const, amountMinor, ...more },
});
export const TAX = 'liabilities:tax-payable:DE';
export const rated = { taxRate: '0.19', taxRatesVersion: 3, country: 'DE' };

/** The published example: 31.00 over 31 days from the 15th, with its tax. */
export const captured = (payment: string, tax = 589n) => [
  debit(CLEARING, 3_100n + tax, { payment }),
  credit(DEFERRED, 3_100n, { payment, country: 'DE' }),
  ...(tax === 0n ? [] : [credit(TAX, tax, { payment, ...rated })]),
];

/** A refund of 17.85 on the 1st of February, of which 2.85 are tax, and 14.00 were not earned yet. */
export const refunded = (payment: string) => {
  const about = { payment, effectiveOn: '2026-02-01', period: '2026-02', country: 'DE' };
  return [
    credit(CLEARING, 1_785n, about),
    debit(DEFERRED, 1_400n, { ...about, rule: 'rules.v1/refunded/taken' }),
    debit('income:refunds', 100n, about),
    debit(TAX, 285n, { ...about, ...rated }),
  ];
};

/** The events of the ledger have these entries, in the order of leaves. */
export function makePoster(entries: readonly (readonly Partial<JournalRow>[])[]): () => Poster {
  return () => ({
    isWanted: () => true,
    post: ({ leaf, bookedAt, event }) =>
      (entries[leaf] ?? []).map((entry, at) =>
        makeRow({ leaf: BigInt(leaf), bookedAt, eventId: event.id, number: 2 * at + 1, ...entry }),
      ),
  });
}
