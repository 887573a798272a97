import { add, type Money, subtract } from '../money/index.js';
import type { TaxedCharge } from '../pricing/index.js';

/** The price of a period, without tax. */
interface RecurringLine {
  readonly kind: 'recurring';
  readonly amount: Money;
}

/** The tax on what the other lines charge. */
interface TaxLine {
  readonly kind: 'tax';
  readonly amount: Money;
  /** Whether the price that the player saw contained the tax, or the tax was added to it. */
  readonly inclusive: boolean;
}

/**
 * What a part of the charged amount is for (rules/payments 8). These lines cover the period that the payment
 * is for, which its purpose names. Charges and credits of a proration, and
 * items of an order, become kinds of their own.
 */
export type PaymentLine = RecurringLine | TaxLine;

/**
 * The lines of a period: its price without tax, then the tax, if a rate is set. An inclusive tax is
 * taken out of the price, so that lines always add up to the amount.
 */
export function periodLines(charge: TaxedCharge): PaymentLine[] {
  const { amount, tax, taxInclusive } = charge;
  if (tax === null) return [{ kind: 'recurring', amount }];
  return [
    { kind: 'recurring', amount: subtract(amount, tax) },
    { kind: 'tax', amount: tax, inclusive: taxInclusive },
  ];
}

/** What the lines add up to, in the currency that they all have. @throws Error for no line at all. */
export function sumLines(lines: readonly Pick<PaymentLine, 'amount'>[]): Money {
  const [first, ...others] = lines;
  if (first === undefined) throw new Error('a payment has at least one line');
  return others.reduce((sum, { amount }) => add(sum, amount), first.amount);
}

/** The tax in the amount, and whether the price contained it; null where no rate is set. */
export function totalTax(
  lines: readonly PaymentLine[],
): { readonly amount: Money; readonly inclusive: boolean } | null {
  const taxes = lines.filter((line) => line.kind === 'tax');
  if (taxes.length === 0) return null;
  return { amount: sumLines(taxes), inclusive: taxes.every(({ inclusive }) => inclusive) };
}
