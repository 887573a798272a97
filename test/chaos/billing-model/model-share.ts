import { addPeriods, dayOfMonth } from './model-dates.js';
import { halfEven, type ModelInterval } from './model-payment.js';
import type { ModelPlan, ModelSubscription } from './model.js';

/** The part of a price for a part of the time that it is for, to the second. */
export function share(cents: number, part: ModelInterval, whole: ModelInterval): number {
  return halfEven(BigInt(cents) * seconds(part.start, part.end), seconds(whole.start, whole.end));
}

/**
 * The cost of some time at a plan's price, counted from the start of the period: period for period, each by its own
 * length.
 */
export function costFrom(
  { periodStart, billingDay }: Pick<ModelSubscription, 'periodStart' | 'billingDay'>,
  { cents, period }: ModelPlan,
  part: ModelInterval,
): number {
  // The start may stand for a later day of the month, and for no earlier one.
  const day = Math.max(billingDay, dayOfMonth(periodStart));
  const begin = (index: number) => addPeriods(periodStart, period, index, day);
  let sum = { of: 0n, in: 1n };
  for (let index = 0; begin(index) < part.end; index += 1) {
    const own = { start: begin(index), end: begin(index + 1) };
    // Both ends are counted from the start of the period.
    const until = seconds(own.start, Math.min(own.end, part.end));
    const since = seconds(own.start, Math.min(own.end, part.start));
    sum = add(sum, { of: until - since, in: seconds(own.start, own.end) });
  }
  return halfEven(BigInt(cents) * sum.of, sum.in);
}

interface Fraction {
  readonly of: bigint;
  readonly in: bigint;
}

const add = (left: Fraction, right: Fraction): Fraction =>
  left.in === right.in
    ? { of: left.of + right.of, in: left.in }
    : { of: left.of * right.in + right.of * left.in, in: left.in * right.in };

/** Whole seconds; none where it ends before it starts. */
const seconds = (start: number, end: number): bigint =>
  BigInt(Math.max(0, Math.floor((end - start) / 1000)));
