import { addMonths } from './model-dates.js';
import { halfEven, type ModelInterval } from './model-payment.js';
import type { ModelPlan } from './model.js';

/** The part of a price for a part of the time that it is for, to the second. */
export function share(cents: number, part: ModelInterval, whole: ModelInterval): number {
  return halfEven(BigInt(cents) * seconds(part), seconds(whole));
}

/**
 * What some time costs at a price for so many months, counted from an instant: month for month, each by its own
 * length.
 */
export function costFrom(from: number, { cents, months }: ModelPlan, part: ModelInterval): number {
  const begin = (index: number) => addMonths(from, months * index);
  const slices: { readonly of: bigint; readonly in: bigint }[] = [];
  for (let index = 0; begin(index) < part.end; index += 1) {
    const own = { start: begin(index), end: begin(index + 1) };
    const slice = { start: Math.max(own.start, part.start), end: Math.min(own.end, part.end) };
    slices.push({ of: seconds(slice), in: seconds(own) });
  }
  const denominator = slices.reduce((product, each) => product * each.in, 1n);
  const numerator = slices.reduce((sum, each) => sum + (each.of * denominator) / each.in, 0n);
  return halfEven(BigInt(cents) * numerator, denominator);
}

function seconds({ start, end }: ModelInterval): bigint {
  return BigInt(Math.max(0, Math.floor((end - start) / 1000)));
}
