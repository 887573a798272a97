import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { addUp, isChargeable, isSameMoney } from '../money/index.js';
import type { PersonalTexts } from '../personal-data/index.js';
import type { CartEvent, CartTerms, ShownItem } from './cart.events.js';
import { type Cart, emptyCart, evolveCart, findCartItem } from './cart.state.js';

/** As many items as an order may have (rules/webshop 4). */
const MAX_CART_ITEMS = 100;
/** Where the catalog says nothing: more pieces at once are a mistake of the hand (rules/webshop 4). */
export const MAX_QUANTITY = 9_999;

/** The player's place when the cart changes. */
interface Origin {
  readonly regionCode: string;
  readonly personal: Pick<PersonalTexts, 'ipAddress'>;
  readonly now: Instant;
}

export type CartCommand =
  | (Origin & {
      /** Puts pieces beside those that lie there, or in their place. */
      readonly kind: 'AddItem' | 'SetItem';
      readonly terms: CartTerms;
      /** From 1 on. */
      readonly quantity: number;
      /** How many the player may have in all, by the catalog. */
      readonly limit: number;
    })
  | (Origin & { readonly kind: 'RemoveItem'; readonly itemId: string })
  /** The next cart is about to begin with the items that are left of it. */
  | { readonly kind: 'CloseCart'; readonly now: Instant }
  /** Begins a cart that is not known to anyone yet. */
  | { readonly kind: 'CarryOver'; readonly items: Cart['items']; readonly now: Instant }
  | {
      readonly kind: 'ShowProblems';
      readonly items: readonly ShownItem[];
      readonly now: Instant;
    };

export interface CartRejection extends AnyRejection {
  readonly code:
    | 'cart/amount_exceeded'
    | 'cart/closed'
    | 'cart/currency_mismatch'
    | 'cart/full'
    | 'cart/quantity_exceeded';
}

/** Decides for one cart. An item that lies there already as wanted changes nothing. */
function decideCart(command: CartCommand, state: Cart): Decision<CartEvent, CartRejection> {
  switch (command.kind) {
    case 'AddItem':
    case 'SetItem':
      return setItem(command, state);
    case 'RemoveItem': {
      if (state.isClosed) return reject('cart/closed');
      const { itemId, regionCode, personal, now } = command;
      if (findCartItem(state, itemId) === undefined) return accept();
      return accept({
        type: 'cart.item_removed.v1',
        data: { itemId, regionCode, personal, changedAt: now },
      });
    }
    case 'CloseCart':
      if (state.isClosed) return accept();
      return accept({ type: 'cart.closed.v1', data: { closedAt: command.now } });
    case 'CarryOver': {
      const items = command.items.map(({ shown: _shown, ...item }) => item);
      return accept({
        type: 'cart.items_carried_over.v1',
        data: { items, carriedAt: command.now },
      });
    }
    case 'ShowProblems': {
      const { items, now } = command;
      return accept({ type: 'cart.problems_shown.v1', data: { items, shownAt: now } });
    }
  }
}

function setItem(
  command: Extract<CartCommand, { terms: CartTerms }>,
  state: Cart,
): Decision<CartEvent, CartRejection> {
  const { terms, regionCode, personal, now } = command;
  if (state.isClosed) return reject('cart/closed');
  const present = findCartItem(state, terms.itemId);
  const before = command.kind === 'AddItem' ? (present?.quantity ?? 0) : 0;
  const quantity = before + command.quantity;
  if (quantity > Math.min(command.limit, MAX_QUANTITY)) {
    return reject('cart/quantity_exceeded', terms.itemId);
  }
  const others = state.items.filter((item) => item !== present);
  const { currency } = terms.price;
  if (others.some(({ price }) => price.currency !== currency)) {
    return reject('cart/currency_mismatch', currency);
  }
  if (others.length >= MAX_CART_ITEMS) return reject('cart/full');
  const total = addUp([...others, { price: terms.price, quantity }], currency);
  if (!isChargeable(total)) return reject('cart/amount_exceeded');
  const isThere = present?.quantity === quantity && present.shown === null;
  if (isThere && isSameMoney(present.price, terms.price)) return accept();
  return accept({
    type: 'cart.item_set.v1',
    data: { ...terms, quantity, regionCode, personal, changedAt: now },
  });
}

/** A stream for each cart; which of them is open, the player's `shop` says (decision 0034). */
export const cartAggregate = defineAggregate('cart', {
  initialState: emptyCart,
  evolve: evolveCart,
  decide: decideCart,
});
