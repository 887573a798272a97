import type { Interval } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import { add, type Money, subtract } from '../money/index.js';
import type { AppliedTaxRate, TaxedCharge } from '../pricing/index.js';

/** Which price of which plan an amount was made from (rules/payments 8). */
export interface PriceOrigin {
  readonly planId: string;
  /** Of a whole billing period, as the player was shown it. */
  readonly price: Money;
  /** Since when the subscription has this price; of a first period, when it was asked for. */
  readonly lockedAt: Instant;
}

/** Where a line's amount comes from. */
interface Explained {
  /** The time that the line is for. */
  readonly covers: Interval;
  /** Null in what was stored before `payment.requested.v3`. */
  readonly origin: PriceOrigin | null;
}

/** A price, or the part of one that falls on the time covered, without tax; a credit is below zero. */
interface PriceLine extends Explained {
  readonly kind: 'recurring' | 'proration_charge' | 'proration_credit';
  readonly amount: Money;
}

/** The tax on what the other lines charge. */
interface TaxLine extends Explained {
  readonly kind: 'tax';
  readonly amount: Money;
  /** Whether the price that the player saw contained the tax, or the tax was added to it. */
  readonly inclusive: boolean;
  /** Null in what was stored before `payment.requested.v3`. */
  readonly rate: AppliedTaxRate | null;
}

/** What lines can be for. */
export const LINE_KINDS = [
  'recurring',
  'proration_charge',
  'proration_credit',
  'tax',
] as const satisfies readonly PaymentLine['kind'][];

/**
 * What a part of the charged amount is for, and where it comes from (rules/payments 8). Items of an order
 * become a kind of their own.
 */
export type PaymentLine = PriceLine | TaxLine;

/**
 * The lines of a period: its price without tax, then the tax, if a rate is set. An inclusive tax is
 * taken out of the price, so that lines always add up to the amount.
 */
export function periodLines(
  charge: TaxedCharge,
  covers: Interval,
  origin: PriceOrigin,
): PaymentLine[] {
  const { amount, tax } = charge;
  const explained = { covers: { start: covers.start, end: covers.end }, origin };
  if (tax === null) return [{ kind: 'recurring', amount, ...explained }];
  const net = subtract(amount, tax.amount);
  return [
    { kind: 'recurring', amount: net, ...explained },
    { kind: 'tax', ...tax, ...explained },
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
