import type { Interval } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import { add, isPositive, type Money, proportion, subtract, times, zero } from '../money/index.js';
import type { AppliedTaxRate, TaxedCharge } from '../pricing/index.js';

/** Which price of which plan an amount was made from (rules/payments 8). */
export interface PriceOrigin {
  readonly planId: string;
  /** Of a whole billing period, as the player was shown it. */
  readonly price: Money;
  /** Since when the subscription has this price; of a first period, when it was asked for. */
  readonly lockedAt: Instant;
}

/** Which item of an order an amount was made from (rules/orders 2). */
export interface ItemOrigin {
  readonly itemId: string;
  readonly quantity: number;
  /** Of one piece, as the player was shown it. */
  readonly price: Money;
  /** The values of its metadata by which finance told classes of items apart when the order was made (rules/finance 4). */
  readonly classedBy?: Readonly<Record<string, string>>;
}

/** The source of a line's amount. */
interface Explained {
  /** The time that the line is for; null where it is for items of an order. */
  readonly covers: Interval | null;
  /** Null where the line is for items of an order. */
  readonly origin: PriceOrigin | null;
}

/**
 * A price, or the part of one that falls on the time covered, without tax; a credit is below zero. A line of its own
 * takes back the part of a credit that is lost or goes back to the player.
 */
interface PriceLine extends Explained {
  readonly kind:
    'recurring' | 'proration_charge' | 'proration_credit' | 'credit_forfeited' | 'credit_refunded';
  readonly amount: Money;
}

/** So many pieces of an item of an order, without tax. */
interface ItemLine extends Explained {
  readonly kind: 'item';
  readonly amount: Money;
  readonly item: ItemOrigin;
}

/** The tax on the other lines. */
interface TaxLine extends Explained {
  readonly kind: 'tax';
  readonly amount: Money;
  /** Whether the price that the player saw contained the tax, or the tax was added to it. */
  readonly inclusive: boolean;
  readonly rate: AppliedTaxRate;
}

/** The kinds of lines. */
export const LINE_KINDS = [
  'recurring',
  'proration_charge',
  'proration_credit',
  'credit_forfeited',
  'credit_refunded',
  'item',
  'tax',
] as const satisfies readonly PaymentLine['kind'][];

/** The purpose and source of a part of the charged amount (rules/payments 8). */
export type PaymentLine = PriceLine | ItemLine | TaxLine;

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

/**
 * The lines of an order: each item without tax, then the tax, if a rate is set. An inclusive tax is taken out of
 * the items, from each by its part of the whole, so that lines always add up to the amount.
 *
 * @param charge of all items together: their tax is rounded once.
 */
export function orderLines(charge: TaxedCharge, items: readonly ItemOrigin[]): PaymentLine[] {
  const { amount, tax } = charge;
  const none = zero(amount.currency);
  const net = tax === null ? amount : subtract(amount, tax.amount);
  const gross = items.map(({ price, quantity }) => times(price, quantity));
  const grossTotal = gross.reduce(add, none);
  const unexplained = { covers: null, origin: null };
  let [grossSoFar, netSoFar] = [none, none];
  const lines = items.map((item, index): PaymentLine => {
    grossSoFar = add(grossSoFar, gross[index] ?? none);
    const upTo = isPositive(grossTotal) ? proportion(net, grossSoFar, grossTotal) : none;
    const line = { kind: 'item', amount: subtract(upTo, netSoFar), item, ...unexplained } as const;
    netSoFar = upTo;
    return line;
  });
  return tax === null ? lines : [...lines, { kind: 'tax', ...tax, ...unexplained }];
}

/** The sum of lines in one currency. @throws Error for no line at all. */
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
