import {
  add as dineroAdd,
  calculator,
  dinero,
  type Dinero,
  greaterThan,
  halfEven,
  isPositive as dineroIsPositive,
  multiply,
  subtract as dineroSubtract,
  toDecimal,
  toSnapshot,
  transformScale,
} from 'dinero.js/bigint';
import * as currencies from 'dinero.js/bigint/currencies';

/**
 * An amount of money as it is stored and passed around: minor units as a decimal string, since JSON
 * has no integers that are wide enough (rules/events 7). All arithmetic goes through dinero.js over
 * bigint; there is no floating point between the gateway and the wire (rules/payments 8).
 */
export interface Money {
  readonly amountMinor: string;
  readonly currency: string;
}

/** Of amounts in minor units: as many as a request may name, beyond any price. */
export const MAX_AMOUNT_DIGITS = 15;

const currencyTable = new Map(
  Object.values(currencies).map((currency) => [currency.code, decimal(currency)]),
);

/**
 * dinero.js gives the ariary (MGA) and the ouguiya (MRU) their five parts to a unit; ISO 4217 prints
 * two decimals for both, and human value = minor units / 10^decimals must hold (rules/prices 6).
 */
function decimal(currency: (typeof currencies)['USD']): (typeof currencies)['USD'] {
  return currency.base === 10n ? currency : { ...currency, base: 10n, exponent: 2n };
}

/** Whether ISO 4217 (dinero.js' table) knows this code. */
export function isCurrency(code: string): boolean {
  return currencyTable.has(code);
}

/** The number of decimals that ISO 4217 gives a currency; CLDR's differ and are never used (rules/prices 6). */
export function decimalsOf(code: string): number {
  return Number(requireCurrency(code).exponent);
}

/** A money value. An amount that is not an integer or an unknown currency is a defect of the caller. */
export function money(amountMinor: bigint | string, currency: string): Money {
  requireCurrency(currency);
  return { amountMinor: BigInt(amountMinor).toString(), currency };
}

/** Nothing, in the given currency. */
export function zero(currency: string): Money {
  return money(0n, currency);
}

/** The sum; both must be of one currency. */
export function add(left: Money, right: Money): Money {
  return fromDinero(dineroAdd(toDinero(left), toDinero(right)));
}

/** The difference; both must be of one currency. */
export function subtract(left: Money, right: Money): Money {
  return fromDinero(dineroSubtract(toDinero(left), toDinero(right)));
}

/** So many times the amount. @param count an integer. */
export function times(value: Money, count: number): Money {
  return fromDinero(multiply(toDinero(value), BigInt(count)));
}

/** The sum of so many pieces of each. @param currency that of all of them. */
export function addUp(
  items: readonly { readonly price: Money; readonly quantity: number }[],
  currency: string,
): Money {
  return items.map(({ price, quantity }) => times(price, quantity)).reduce(add, zero(currency));
}

/** Whether items can be paid at once that come to this, tax not counted (rules/orders 1 and webshop 4). */
export function isChargeable({ amountMinor }: Money): boolean {
  return amountMinor.length <= MAX_AMOUNT_DIGITS;
}

/** Whether the amount is above zero. */
export function isPositive(value: Money): boolean {
  return dineroIsPositive(toDinero(value));
}

/** Whether the left amount is greater; both must be of one currency. @throws Error where they are not. */
export function isGreater(left: Money, right: Money): boolean {
  return greaterThan(toDinero(left), toDinero(right));
}

/** Whether both are as much, of one currency. */
export function isSameMoney(left: Money, right: Money): boolean {
  return left.currency === right.currency && left.amountMinor === right.amountMinor;
}

/** @throws Error for amounts of different currencies: none of them is more than the other, and we were wrong. */
export function assertOneCurrency(left: Money, right: Money): void {
  if (left.currency === right.currency) return;
  throw new Error(`${left.currency} is compared with ${right.currency}`);
}

/** The amount times a decimal factor such as "0.19", half-even to a minor unit. */
export function multiplyByDecimal(value: Money, factor: string): Money {
  const [whole = '0', fraction = ''] = factor.split('.');
  const scaled = { amount: BigInt(whole + fraction), scale: BigInt(fraction.length) };
  const exact = multiply(toDinero(value), scaled);
  return fromDinero(transformScale(exact, requireCurrency(value.currency).exponent, halfEven));
}

/**
 * The part of a value that another amount is of its whole, rounded half-even to a minor unit: the tax in a refund, say.
 * None of them is negative, and the whole is not nothing.
 *
 * @throws Error where the part and the whole are of different currencies.
 */
export function proportion(value: Money, part: Money, whole: Money): Money {
  assertOneCurrency(part, whole);
  return prorate(value, BigInt(part.amountMinor), BigInt(whole.amountMinor));
}

/**
 * The part of a value that one count is of another, rounded half-even to a minor unit: the price of a period's last
 * seconds, say. None of them is negative, and the whole is not nothing.
 */
export function prorate(value: Money, part: bigint, whole: bigint): Money {
  return money(prorateMinor(BigInt(value.amountMinor), part, whole), value.currency);
}

/** The same of minor units. An amount below zero is rounded as the one above zero is, so that both cancel out. */
export function prorateMinor(amountMinor: bigint, part: bigint, whole: bigint): bigint {
  if (amountMinor < 0n) return -prorateMinor(-amountMinor, part, whole);
  return halfEven(amountMinor * part, whole, calculator);
}

/** Major units as a decimal string with the currency's decimals: "9.99", JPY "980", KWD "9.990". */
export function toMajor(value: Money): string {
  return toDecimal(toDinero(value));
}

/**
 * The reverse of `toMajor`: as many decimals as the currency has, or fewer.
 *
 * @returns undefined for any other text. The currency is one that we know.
 */
export function readMajor(text: string, currency: string): Money | undefined {
  const [, whole = '', fraction = ''] = MAJOR.exec(text) ?? [];
  const decimals = decimalsOf(currency);
  if (whole === '' || fraction.length > decimals) return undefined;
  return money(whole + fraction.padEnd(decimals, '0'), currency);
}

/** Whether it is an amount of some currency. */
export function isMajor(text: string): boolean {
  return MAJOR.test(text);
}

/** Digits with a point: no sign, no exponent, no zero in front that says nothing. */
const MAJOR = /^(0|[1-9]\d{0,11})(?:\.(\d{1,4}))?$/;

function requireCurrency(code: string): (typeof currencies)['USD'] {
  const currency = currencyTable.get(code);
  if (currency === undefined) throw new Error(`Unknown currency: ${code}`);
  return currency;
}

function toDinero(value: Money): Dinero<bigint> {
  return dinero({ amount: BigInt(value.amountMinor), currency: requireCurrency(value.currency) });
}

function fromDinero(value: Dinero<bigint>): Money {
  const { amount, currency } = toSnapshot(value);
  return { amountMinor: amount.toString(), currency: currency.code };
}
