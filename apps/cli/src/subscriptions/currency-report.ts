import { sayMoney } from '#representations';
import { table } from '../output.js';

interface Charge {
  readonly currency: string;
  readonly amountCents: string;
  readonly totalTaxAmountCents: string;
}

/** One subscription in the currency that ends, as the API answers it (rules/lifecycle 14). */
export interface CurrencyChange {
  readonly subscriptionId: string;
  readonly externalAccountId: string;
  readonly planId: string;
  readonly moves: boolean;
  readonly reason: string | null;
  readonly effectiveAt: string | null;
  readonly before: Charge | null;
  readonly after: Charge | null;
}

interface Move {
  readonly from: string;
  readonly to: string;
  readonly isDryRun: boolean;
}

/** How many move, and how many stay for each reason. */
export interface CurrencySummary {
  readonly moving: number;
  readonly staying: Readonly<Record<string, number>>;
}

/** Counts each outcome. */
export function summarize(changes: readonly CurrencyChange[]): CurrencySummary {
  const staying: Record<string, number> = {};
  for (const { reason } of changes) {
    if (reason !== null) staying[reason] = (staying[reason] ?? 0) + 1;
  }
  return { moving: changes.filter(({ moves }) => moves).length, staying };
}

/** Each subscription on a line, and the summary behind them. */
export function describeChanges(changes: readonly CurrencyChange[], move: Move): string {
  const rows = changes.map((each) => [
    ...[each.subscriptionId, each.externalAccountId, each.planId, each.effectiveAt ?? ''],
    ...[sayCharge(each.before), sayCharge(each.after), each.reason ?? ''],
  ]);
  const head = ['subscription', 'player', 'plan', 'at', 'instead of', 'is charged', 'stays'];
  const summary = describeSummary(summarize(changes), move);
  return changes.length === 0 ? summary : `${table(head, rows)}\n${summary}`;
}

function describeSummary(
  { moving, staying }: CurrencySummary,
  { from, to, isDryRun }: Move,
): string {
  const reasons = Object.entries(staying);
  const stayingCount = reasons.reduce((sum, [, count]) => sum + count, 0);
  const [move, stay] = isDryRun ? ['would move', 'would stay'] : ['move', 'stay'];
  const why = reasons.map(([reason, count]) => `${count} ${reason}`).join(', ');
  const stayers = stayingCount === 0 ? '' : `; ${stayingCount} ${stay} in ${from} (${why})`;
  return `${moving} ${move} from ${from} to ${to}, each with the next renewal${stayers}.`;
}

function sayCharge(charge: Charge | null): string {
  if (charge === null) return '';
  const { currency, amountCents, totalTaxAmountCents } = charge;
  const tax = { amountMinor: totalTaxAmountCents, currency };
  const taxed = totalTaxAmountCents === '0' ? '' : ` (tax ${sayMoney(tax)})`;
  return `${sayMoney({ amountMinor: amountCents, currency })}${taxed}`;
}
