import { decimalsOf, type Money } from '../money/index.js';

/** How many points a major unit of a currency is worth: `"10"`, `"0.5"`. */
export interface PointsRate {
  readonly currency: string;
  readonly perMajorUnit: string;
}

/** At most seven digits before the point and six behind it, which is more than campaigns need. */
const RATE = /^(0|[1-9]\d{0,6})(?:\.(\d{1,6}))?$/;
const RATE_DECIMALS = 6;

/** Whether points can be counted by a text: a decimal above 0. */
export function isPointsRate(text: string): boolean {
  return RATE.test(text) && /[1-9]/.test(text);
}

/**
 * Points of an order: the amount times the rate, rounded down once, in whole numbers all the way (rules/loyalty 2).
 *
 * @param spent the amount paid without tax, less refunds; an amount below 0 counts as none.
 */
export function countPoints(spent: Money, rates: readonly PointsRate[]): bigint {
  const rate = rates.find(({ currency }) => currency === spent.currency);
  const [, whole, decimals = ''] = RATE.exec(rate?.perMajorUnit ?? '') ?? [];
  const minor = BigInt(spent.amountMinor);
  if (whole === undefined || minor <= 0n) return 0n;
  const scaled = BigInt(whole + decimals.padEnd(RATE_DECIMALS, '0'));
  return (minor * scaled) / 10n ** BigInt(RATE_DECIMALS + decimalsOf(spent.currency));
}
