import { MRR_MOVEMENTS, type MrrMovementKind } from '#domain/bookkeeping';
import { minor, money, type ReportRow, type SummaryReport, text } from './report.js';
import { readMeasures } from './measured-events.js';

type Sums = Record<'opening' | 'will_churn' | MrrMovementKind, bigint>;

const MOVED = MRR_MOVEMENTS.map((kind) => money(kind));

/** Opening revenue and all movements add up to closing; that of canceled subscriptions stands beside. */
export const mrr: SummaryReport = {
  name: 'mrr',
  description: 'monthly recurring revenue: new, reactivated, expanded, contracted and churned',
  columns: [
    ...[text('currency'), money('opening'), ...MOVED],
    ...[money('closing'), money('will_churn')],
  ],
  compute: async (books) => {
    const currencies = new Map<string, Sums>();
    const sums = (currency: string) => {
      const found = currencies.get(currency) ?? makeSums();
      currencies.set(currency, found);
      return found;
    };
    for await (const { movements, willChurn, isInPeriod } of readMeasures(books)) {
      for (const { kind, currency, beforeMinor, afterMinor } of movements) {
        sums(currency)[isInPeriod ? kind : 'opening'] += afterMinor - beforeMinor;
      }
      for (const [currency, change] of willChurn) sums(currency).will_churn += change;
    }
    return [...currencies.keys()].sort().map((currency) => toRow(currency, sums(currency)));
  },
};

function makeSums(): Sums {
  const moved = { new: 0n, reactivation: 0n, expansion: 0n, contraction: 0n, churn: 0n };
  return { opening: 0n, ...moved, will_churn: 0n };
}

function toRow(currency: string, sums: Sums): ReportRow {
  const moved = MRR_MOVEMENTS.map((kind) => [minor(kind), sums[kind]] as const);
  const closing = moved.reduce((sum, [, amount]) => sum + amount, sums.opening);
  return {
    ...{ currency, [minor('opening')]: sums.opening, ...Object.fromEntries(moved) },
    ...{ [minor('closing')]: closing, [minor('will_churn')]: sums.will_churn },
  };
}
