import { add, type Money, money } from '../money/index.js';

/** A country's or region's tax; the rate is a decimal fraction as text, "0.23" (rules/prices 5). */
export interface TaxRate {
  readonly country: string;
  /** The part behind the dash of ISO 3166-2 (`NY`), or the whole code (`US-NY`). */
  readonly region?: string;
  readonly rate: string;
  readonly inclusive: boolean;
}

/** More decimals than any tax code prints; a bound on the digits that arithmetic has to carry. */
const MAX_RATE_DECIMALS = 12;
const RATE_PATTERN = new RegExp(`^(?:0|1)(?:\\.\\d{1,${MAX_RATE_DECIMALS}})?$`);

/**
 * Whether a text is a tax rate: a plain decimal between 0 and 1, at most 12 decimals. One hundred per
 * cent is the limit because a larger number is a percentage given by mistake ("23" for "0.23").
 */
export function isTaxRate(rate: string): boolean {
  return RATE_PATTERN.test(rate) && (rate.startsWith('0') || /^1(?:\.0+)?$/.test(rate));
}

/** The rate of a country, or of one of its regions where that has a rate of its own. */
export function findTaxRate(
  rates: readonly TaxRate[],
  country: string,
  region?: string,
): TaxRate | undefined {
  const ofCountry = rates.filter((rate) => rate.country === country);
  const wanted = region === undefined ? undefined : subdivision(country, region);
  return (
    ofCountry.find((rate) => rate.region !== undefined && subdivisionCode(rate) === wanted) ??
    ofCountry.find((rate) => rate.region === undefined)
  );
}

/** The region of a rate without its country's prefix: `US-NY` and `NY` are one region. */
export function subdivisionCode(rate: TaxRate): string | undefined {
  return rate.region === undefined ? undefined : subdivision(rate.country, rate.region);
}

/** A net amount with the tax on top: amount × (1 + rate), half-even to a minor unit (rules/prices 1). */
export function withTaxIncluded(netMinor: bigint, rate: string): bigint {
  const { numerator, denominator } = parseRate(rate);
  return divideHalfEven(netMinor * (denominator + numerator), denominator);
}

/**
 * The charge for a price that the player was shown (rules/payments 8): an inclusive rate's tax is contained in the
 * price, an exclusive one's is added to it; half-even to a minor unit.
 */
export function chargeWithTax(price: Money, tax: TaxRate): { amount: Money; tax: Money } {
  const { numerator, denominator } = parseRate(tax.rate);
  const priceMinor = BigInt(price.amountMinor);
  const taxMinor = tax.inclusive
    ? divideHalfEven(priceMinor * numerator, denominator + numerator)
    : divideHalfEven(priceMinor * numerator, denominator);
  const taxAmount = money(taxMinor, price.currency);
  return { amount: tax.inclusive ? price : add(price, taxAmount), tax: taxAmount };
}

function parseRate(rate: string): { numerator: bigint; denominator: bigint } {
  const [whole = '0', fraction = ''] = rate.split('.');
  return { numerator: BigInt(whole + fraction), denominator: 10n ** BigInt(fraction.length) };
}

/** The quotient to the nearest integer, a tie to the even one; neither side is negative. */
function divideHalfEven(dividend: bigint, divisor: bigint): bigint {
  const quotient = dividend / divisor;
  const twiceRemainder = 2n * (dividend % divisor);
  if (twiceRemainder < divisor) return quotient;
  if (twiceRemainder > divisor) return quotient + 1n;
  return quotient % 2n === 0n ? quotient : quotient + 1n;
}

function subdivision(country: string, region: string): string {
  return region.startsWith(`${country}-`) ? region.slice(country.length + 1) : region;
}
