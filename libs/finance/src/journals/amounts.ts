import { decimalsOf } from '#domain/money';
import { toMajorText } from '#domain/pricing';

/**
 * An amount as all programs read it alike: exactly the digits of its currency, no thousands mark, its sign in front.
 * Tolerances that programs derive from digits never matter so (rules/finance 21).
 */
export function printAmount(amountMinor: bigint, currency: string): string {
  return `${printNumber(amountMinor, currency)} ${currency}`;
}

/** The same without its currency. */
export function printNumber(amountMinor: bigint, currency: string): string {
  const decimals = decimalsOf(currency);
  return amountMinor < 0n
    ? `-${toMajorText(-amountMinor, decimals)}`
    : toMajorText(amountMinor, decimals);
}
