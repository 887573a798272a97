import { decimalsOf, type Money, money } from '#domain/money';
import { decimalsAtStripe } from '#domain/settlement';

/** Card networks know two decimals: of three, the last has to be 0. */
const DECIMALS_OF_CARDS = 2;

/**
 * An amount as Stripe takes it. Undefined where Stripe cannot take it: nothing is rounded, for then the player
 * would pay another amount than the ledger says.
 */
export function toStripeAmount({ amountMinor, currency }: Money): number | undefined {
  const minor = BigInt(amountMinor);
  const decimals = decimalsOf(currency);
  const atStripe = decimalsAtStripe(currency);
  const unused = 10n ** BigInt(Math.max(0, decimals - Math.min(atStripe, DECIMALS_OF_CARDS)));
  if (minor <= 0n || minor % unused !== 0n) return undefined;
  const amount = (minor * 10n ** BigInt(atStripe)) / 10n ** BigInt(decimals);
  return amount > BigInt(Number.MAX_SAFE_INTEGER) ? undefined : Number(amount);
}

/** Stripe's amount, in minor units of ISO 4217. Stripe writes currencies in small letters. */
export function fromStripeAmount(amount: number, stripeCurrency: string): Money {
  const currency = stripeCurrency.toUpperCase();
  const scaled = BigInt(amount) * 10n ** BigInt(decimalsOf(currency));
  return money(scaled / 10n ** BigInt(decimalsAtStripe(currency)), currency);
}
