import type { Money } from '#domain/money';

/** An amount as it is stored: without its currency, where that is the document's. */
export type PackedMoney = string | Money;

export function packMoney(money: Money, currency: string): PackedMoney {
  return money.currency === currency ? money.amountMinor : money;
}

/** The reverse of `packMoney`. */
export function unpackMoney(packed: PackedMoney, currency: string): Money {
  return typeof packed === 'string' ? { amountMinor: packed, currency } : packed;
}
