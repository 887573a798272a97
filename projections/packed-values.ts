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

/** An id without its prefix, where that is the usual one; any other begins with a sign that no id has. */
export function packId(prefix: string, id: string): string {
  const rest = id.slice(prefix.length);
  return id.startsWith(prefix) && !rest.startsWith('=') ? rest : `=${id}`;
}

/** The reverse of `packId`. */
export function unpackId(prefix: string, packed: string): string {
  return packed.startsWith('=') ? packed.slice(1) : prefix + packed;
}
