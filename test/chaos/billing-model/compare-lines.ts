import { ok, deepStrictEqual } from 'node:assert/strict';
import { addPeriods, toInstant } from './model-dates.js';
import { type ModelInterval, type ModelLine, type ModelPayment } from './model-payment.js';
import type { Player } from './player.js';

/** Lines never change: those of a payment are compared once. */
const compared = new WeakSet<ModelPayment>();
/** A checkout foresees its period before the subscription begins with it; parts may die in between. */
const MOMENT_MS = 150_000;

/** A line as the API shows it. */
export interface ShownLine {
  readonly kind: string;
  readonly amountCents: string;
  readonly covers: { readonly start: string; readonly end: string };
  readonly price: { readonly planId: string; readonly amountCents: string };
  readonly tax: {
    readonly rate: string;
    readonly ratesVersion: number;
    readonly inclusive: boolean;
  } | null;
}

/**
 * Holds the lines of a payment against the model: their purposes, times and sources.
 *
 * @throws AssertionError with the difference.
 */
export async function compareLines(
  payment: ModelPayment,
  paymentId: string,
  player: Player,
): Promise<void> {
  if (compared.has(payment)) return;
  const { lines } = await player.read(`/sdk/server/payments/${paymentId}`);
  // The answer is the API's own to this path.
  const shown = lines as ShownLine[];
  const expected = payment.context === 'INITIAL' ? foresee(payment, shown) : payment.lines;
  compareShown(shown, expected, player, payment.context);
  compared.add(payment);
}

/** Holds lines as the API shows them against the model. @throws AssertionError with the difference. */
export function compareShown(
  shown: readonly ShownLine[],
  lines: readonly ModelLine[],
  player: Player,
  what: string,
): void {
  const expected = lines.map((line) => showLine(line, player));
  deepStrictEqual(shown.map(readLine), expected, `lines of ${what}`);
}

/** The period of a checkout, as it was foreseen: so long, from a moment before. */
function foresee({ lines }: ModelPayment, [first]: readonly ShownLine[]): ModelLine[] {
  const start = Date.parse(first?.covers.start ?? '');
  return lines.map((line) => {
    const late = line.covers.start - start;
    ok(late >= 0 && late < MOMENT_MS, `a first period begins ${late} ms before`);
    return { ...line, covers: { start, end: addPeriods(start, line.plan.period, 1) } };
  });
}

function showLine({ kind, cents, covers, plan, rate }: ModelLine, { planIds }: Player): ShownLine {
  return {
    kind,
    amountCents: String(cents),
    covers: showInterval(covers),
    price: { planId: planIds.get(plan.code) ?? '', amountCents: String(plan.cents) },
    tax: rate && { rate: rate.rate, ratesVersion: rate.version, inclusive: rate.inclusive },
  };
}

const showInterval = ({ start, end }: ModelInterval) => ({
  start: toInstant(start),
  end: toInstant(end),
});

/** The model's part of a line: not the time since which a price is locked. */
function readLine({ kind, amountCents, covers, price, tax }: ShownLine): ShownLine {
  const { planId, amountCents: priceCents } = price;
  return { kind, amountCents, covers, price: { planId, amountCents: priceCents }, tax };
}
