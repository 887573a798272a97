import { addPeriods, type Interval, type Period, toMilliseconds } from '../calendar/index.js';
import {
  add,
  assertOneCurrency,
  isGreater,
  isPositive,
  type Money,
  prorate,
  subtract,
  zero,
} from '../money/index.js';
import type { PaymentLine, PriceOrigin } from '../payment/index.js';
import { taxedCharge, type TaxRates } from '../pricing/index.js';
import type { Instant } from '../event/index.js';

/** The price of a plan change at once (rules/lifecycle 11). Pure arithmetic: who may change is decided elsewhere. */

/** A price for each period of some length. */
export interface RecurringPrice {
  readonly price: Money;
  readonly period: Period;
}

/** How many periods some time is, as a fraction. */
interface PeriodCount {
  readonly part: bigint;
  readonly whole: bigint;
}

/** Periods of some length, one after the other. */
interface PeriodsFrom {
  readonly start: Instant;
  readonly period: Period;
  /** The day of month that is meant, where the start is the last day of a month that is too short for it. */
  readonly billingDay?: number;
}

/** Time that is paid for, or is to be, at a price for each period. */
export interface PricedTime {
  readonly origin: PriceOrigin;
  readonly covers: Interval;
  readonly periods: PeriodCount;
}

/** The place and moment of a change's tax. */
interface TaxedAt {
  readonly regionCode: string;
  readonly taxRates: TaxRates;
  readonly now: Instant;
}

/** After so many years the calendar begins anew: units of every kind fit in them a whole number of times. */
const CYCLE: Period = { value: 400, unit: 'year' };
const CYCLE_START = '2000-01-01T00:00:00.000Z';
const DAY_MS = 86_400_000;
/** As many days as the calendar has, and more. */
const MOST_PERIODS = 2 ** 22;
const daysInCycle =
  (toMilliseconds(addPeriods(CYCLE_START, CYCLE, 1)) - toMilliseconds(CYCLE_START)) / DAY_MS;
const UNITS_IN_CYCLE: Readonly<Record<Period['unit'], bigint>> = {
  day: BigInt(daysInCycle),
  week: BigInt(daysInCycle / 7),
  month: BigInt(CYCLE.value * 12),
  year: BigInt(CYCLE.value),
};

/**
 * Whether one price is higher for a day than another. Compared over the calendar's whole cycle, so that three months at
 * 30 equal a month at 10, whichever months they are.
 *
 * @throws Error for prices of different currencies.
 */
export function isDearer(left: RecurringPrice, right: RecurringPrice): boolean {
  assertOneCurrency(left.price, right.price);
  return (
    priceInCycle(left) * BigInt(right.period.value) >
    priceInCycle(right) * BigInt(left.period.value)
  );
}

function priceInCycle({ price, period }: RecurringPrice): bigint {
  return BigInt(price.amountMinor) * UNITS_IN_CYCLE[period.unit];
}

/** The line that takes back the part of a credit above the charge: it is lost, or it goes back to the player. */
type TakenBack = 'credit_forfeited' | 'credit_refunded';

/**
 * The lines of a change at once: the new time is charged and the unused time credited, to the second. The part of the
 * credit above the charge is taken back, so that no sum is below zero.
 */
export function prorationLines(
  charged: PricedTime,
  credited: PricedTime,
  at: TaxedAt & { readonly takenBack?: TakenBack },
): PaymentLine[] {
  const charge = costs(charged);
  const unused = costs(credited);
  return taxedLines({ charge, charged, unused, credited }, at, at.takenBack);
}

/** The line of a change whose price the studio has named: it takes the place of the difference. */
export function namedLines(charge: Money, charged: PricedTime, at: TaxedAt): PaymentLine[] {
  return taxedLines({ charge, charged, unused: zero(charge.currency), credited: charged }, at);
}

interface Difference {
  readonly charge: Money;
  readonly charged: PricedTime;
  readonly unused: Money;
  readonly credited: PricedTime;
}

/** An inclusive tax is taken out of all lines; the charge takes the remainder of rounding, so that they add up. */
function taxedLines(
  { charge, charged, unused, credited }: Difference,
  at: TaxedAt,
  takenBack: TakenBack = 'credit_forfeited',
): PaymentLine[] {
  const taxed = (price: Money) => taxedCharge(price, at.regionCode, at.taxRates, at.now);
  const netPrice = (price: Money) => {
    const { tax } = taxed(price);
    return tax?.inclusive === true ? subtract(price, tax.amount) : price;
  };
  const used = isGreater(unused, charge) ? charge : unused;
  const { amount, tax } = taxed(subtract(charge, used));
  const [netUsed, netUnused] = [netPrice(used), netPrice(unused)];
  const net = tax === null ? amount : subtract(amount, tax.amount);
  const lines: PaymentLine[] = [
    { kind: 'proration_charge', amount: add(net, netUsed), ...explain(charged) },
  ];
  if (isPositive(netUnused)) {
    const below = subtract(zero(netUnused.currency), netUnused);
    lines.push({ kind: 'proration_credit', amount: below, ...explain(credited) });
  }
  const rest = subtract(netUnused, netUsed);
  if (isPositive(rest)) lines.push({ kind: takenBack, amount: rest, ...explain(credited) });
  if (tax !== null) lines.push({ kind: 'tax', ...tax, ...explain(charged) });
  return lines;
}

function explain({ covers, origin }: PricedTime) {
  return { covers, origin };
}

/** The price of some time, without the tax that is added to it. */
export function costs({ origin, periods }: PricedTime): Money {
  return prorate(origin.price, periods.part, periods.whole);
}

/** The share of one period that some time in it is. */
export function countWithin(covers: Interval, period: Interval): PeriodCount {
  const whole = secondsBetween(period.start, period.end);
  // A period of nothing, at the end of the calendar, has no parts.
  return whole === 0n
    ? { part: 0n, whole: 1n }
    : { part: secondsBetween(covers.start, covers.end), whole };
}

/**
 * How many periods some time is that are counted from an instant: whole ones, and the parts of those in which it
 * begins and ends, each by its own length. A year is twelve months so, whichever months they are.
 */
export function countFrom(covers: Interval, periods: PeriodsFrom): PeriodCount {
  const begins = place(covers.start, periods);
  const ends = place(covers.end, periods);
  const between = BigInt(ends.index - begins.index) * begins.length * ends.length;
  const part = between + ends.seconds * begins.length - begins.seconds * ends.length;
  return { part: part > 0n ? part : 0n, whole: begins.length * ends.length };
}

/** In which period an instant is, and how far in it. Neither is before the first one. */
function place(at: Instant, periods: PeriodsFrom) {
  const index = findIndex(at, periods);
  const start = startAt(index, periods);
  const length = secondsBetween(start, startAt(index + 1, periods));
  return { index, seconds: secondsBetween(start, at), length: length > 0n ? length : 1n };
}

/** The last period that begins at an instant or before, found by halves: there may be thousands of days. */
function findIndex(at: Instant, periods: PeriodsFrom): number {
  const isBegun = (index: number) => startAt(index, periods) <= at;
  let beyond = 1;
  while (isBegun(beyond) && beyond < MOST_PERIODS) beyond *= 2;
  let index = Math.floor(beyond / 2);
  while (beyond - index > 1) {
    const middle = Math.floor((index + beyond) / 2);
    if (isBegun(middle)) index = middle;
    else beyond = middle;
  }
  return index;
}

function startAt(index: number, { start, period, billingDay }: PeriodsFrom): Instant {
  return addPeriods(start, period, index, billingDay);
}

/** Whole seconds; none where it ends before it starts. */
function secondsBetween(start: Instant, end: Instant): bigint {
  const ms = toMilliseconds(end) - toMilliseconds(start);
  return BigInt(Math.max(0, Math.floor(ms / 1000)));
}
