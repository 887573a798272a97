import type { Money } from '#domain/money';
import type { SubscriptionStatus } from '#domain/subscription';
import { assertDefect } from '#platform';
import { type StateCodec, trimmed } from '#projection-engine/define';

/** As they are numbered in stored documents, whatever their order is elsewhere: a new one is the last. */
export const STORED_SUBSCRIPTION_STATUSES = [
  'active',
  'past_due',
  'canceled',
  'expired',
] as const satisfies readonly SubscriptionStatus[];

const NONE = { status: 'none' } as const;

/**
 * Stores what is there as its values in their order, and nothing of what is not there.
 *
 * @param unpack the reverse of `pack`; it is given what `pack` gave, without what is missing at the end.
 */
export function codecForExisting<
  State extends { readonly status: string },
  Packed extends readonly unknown[],
>(
  pack: (state: State) => Packed,
  unpack: (packed: Packed, id: string) => State,
): StateCodec<State | typeof NONE> {
  return {
    pack: (state) => (isThere(state) ? trimmed(pack(state)) : []),
    // It is what `pack` gave.
    unpack: (packed, id) => (packed.length === 0 ? NONE : unpack(packed as unknown as Packed, id)),
  };
}

function isThere<State extends { readonly status: string }>(
  state: State | typeof NONE,
): state is State {
  return state.status !== 'none';
}

/** The number of a value in the list by which such values are stored; the compiler asks for all of them. */
export function packChoice<Choice>(choices: readonly Choice[], choice: NoInfer<Choice>): number {
  return choices.indexOf(choice);
}

/** The reverse of `packChoice`. @throws Defect for a number that the list does not have. */
export function unpackChoice<Choice>(choices: readonly Choice[], packed: number): Choice {
  const choice = choices[packed];
  assertDefect(choice !== undefined, `no stored value has the number ${packed}`);
  return choice;
}

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
