import type { DomainEvent, Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import type { PersonalTexts } from '../personal-data/index.js';

/** An item's name, price and limits, as the catalog gave them when it was put there. */
export interface CartTerms {
  readonly itemId: string;
  readonly name: string;
  /** The address of its picture. */
  readonly image: string;
  /** For one piece. */
  readonly price: Money;
}

/** Why an item of a cart cannot be bought as it lies there (rules/webshop 4). */
export const CART_PROBLEMS = ['PRICE_CHANGED', 'GONE', 'EXPIRED', 'QUANTITY'] as const;
export type CartProblem = (typeof CART_PROBLEMS)[number];

/** The player's place when the cart changed. */
interface Origin {
  readonly regionCode: string;
  readonly personal: Pick<PersonalTexts, 'ipAddress'>;
  readonly changedAt: Instant;
}

/** So many pieces of an item are in the cart from here on. */
export type CartItemSet = DomainEvent<
  'cart.item_set.v1',
  Origin & CartTerms & { readonly quantity: number }
>;
export type CartItemRemoved = DomainEvent<
  'cart.item_removed.v1',
  Origin & { readonly itemId: string }
>;

/** The first items of a cart: those left in the cart before it when its order was paid (decision 0034). */
export type CartItemsCarriedOver = DomainEvent<
  'cart.items_carried_over.v1',
  {
    readonly items: readonly (CartTerms & { readonly quantity: number })[];
    readonly carriedAt: Instant;
  }
>;

/** An item as the player was shown it at a checkout: the next one takes it so. One with two problems stands there twice. */
export interface ShownItem {
  readonly itemId: string;
  readonly problem: CartProblem;
  readonly price: Money;
  /** How many could be bought; 0 where it is gone. */
  readonly quantity: number;
}

/** A checkout was refused, since the catalog says otherwise than the cart. */
export type CartProblemsShown = DomainEvent<
  'cart.problems_shown.v1',
  { readonly items: readonly ShownItem[]; readonly shownAt: Instant }
>;

/**
 * Its order was paid, and the next cart begins with the items left of it: nothing is put here any more (decision 0034).
 */
export type CartClosed = DomainEvent<'cart.closed.v1', { readonly closedAt: Instant }>;

export type CartEvent =
  CartItemSet | CartItemRemoved | CartItemsCarriedOver | CartProblemsShown | CartClosed;
