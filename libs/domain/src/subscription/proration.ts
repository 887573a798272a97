import { addPeriods, type Interval, type Period, toMilliseconds } from '../calendar/index.js';
import {
  add,
  isGreater,
  isPositive,
  type Money,
  money,
  prorate,
  subtract,
  zero,
} from '../money/index.js';
import type { PaymentLine, PriceOrigin } from '../payment/index.js';
import { taxedCharge, type TaxRates } from '../pricing/index.js';
import type { Instant } from '../event/index.js';

/** What a plan change costs at once (rules/lifecycle 11). Pure arithmetic: who may change is decided elsewhere. */

/** A price for each period of some length. */
export interface RecurringPrice {
  readonly price: Money;
  readonly period: Period;
}

/** Time that is paid for, or is to be, at a price; the whole is what that price is for. */
export interface PricedTime {
  readonly origin: PriceOrigin;
  readonly covers: Interval;
  readonly whole: Interval;
}

/** Where and when a change is taxed. */
interface TaxedAt {
  readonly regionCode: string;
  readonly taxRates: TaxRates;
  readonly now: Instant;
}

/** After so many years the calendar begins anew: units of every kind fit in them a whole number of times. */
const CYCLE: Period = { value: 400, unit: 'year' };
const CYCLE_START = '2000-01-01T00:00:00.000Z';
const DAY_MS = 86_400_000;
const daysInCycle =
  (toMilliseconds(addPeriods(CYCLE_START, CYCLE, 1)) - toMilliseconds(CYCLE_START)) / DAY_MS;
const UNITS_IN_CYCLE: Readonly<Record<Period['unit'], bigint>> = {
  day: BigInt(daysInCycle),
  week: BigInt(daysInCycle / 7),
  month: BigInt(CYCLE.value * 12),
  year: BigInt(CYCLE.value),
};

/**
 * Whether one price is higher for a day than another. Compared over the calendar's whole cycle, so that
 * three months at 30 are what a month at 10 is, whichever months they are.
 */
export function isDearer(left: RecurringPrice, right: RecurringPrice): boolean {
  return (
    priceInCycle(left) * BigInt(right.period.value) >
    priceInCycle(right) * BigInt(left.period.value)
  );
}

function priceInCycle({ price, period }: RecurringPrice): bigint {
  return BigInt(price.amountMinor) * UNITS_IN_CYCLE[period.unit];
}

/**
 * The lines of a change at once: the new time is charged and the unused time credited, to the second. A
 * credit is never above the charge, so that no sum is below zero.
 */
export function prorationLines(
  charged: PricedTime,
  credited: PricedTime,
  at: TaxedAt,
): PaymentLine[] {
  const charge = costs(charged);
  const unused = costs(credited);
  const credit = isGreater(unused, charge) ? charge : unused;
  return taxedLines({ charge, charged, credit, credited }, at);
}

/** The line of a change whose price the studio has named: it takes the place of the difference. */
export function namedLines(charge: Money, charged: PricedTime, at: TaxedAt): PaymentLine[] {
  return taxedLines({ charge, charged, credit: zero(charge.currency), credited: charged }, at);
}

interface Difference {
  readonly charge: Money;
  readonly charged: PricedTime;
  /** Not above the charge. */
  readonly credit: Money;
  readonly credited: PricedTime;
}

/** An inclusive tax is taken out of both lines; the charge takes what rounding leaves, so that they add up. */
function taxedLines({ charge, charged, credit, credited }: Difference, at: TaxedAt): PaymentLine[] {
  const taxed = (price: Money) => taxedCharge(price, at.regionCode, at.taxRates, at.now);
  const { amount, tax } = taxed(subtract(charge, credit));
  const taxInCredit = taxed(credit).tax;
  const netCredit = taxInCredit?.inclusive === true ? subtract(credit, taxInCredit.amount) : credit;
  const net = tax === null ? amount : subtract(amount, tax.amount);
  const lines: PaymentLine[] = [
    { kind: 'proration_charge', amount: add(net, netCredit), ...explain(charged) },
  ];
  if (isPositive(netCredit)) {
    const below = subtract(zero(netCredit.currency), netCredit);
    lines.push({ kind: 'proration_credit', amount: below, ...explain(credited) });
  }
  if (tax !== null) lines.push({ kind: 'tax', ...tax, ...explain(charged) });
  return lines;
}

function explain({ covers, origin }: PricedTime) {
  return { covers, origin };
}

function costs({ origin, covers, whole }: PricedTime): Money {
  const seconds = secondsIn(covers);
  const all = secondsIn(whole);
  if (seconds >= all) return origin.price;
  return all === 0n ? money(0n, origin.price.currency) : prorate(origin.price, seconds, all);
}

/** Whole seconds; none where it ends before it starts. */
function secondsIn({ start, end }: Interval): bigint {
  const ms = toMilliseconds(end) - toMilliseconds(start);
  return BigInt(Math.max(0, Math.floor(ms / 1000)));
}
