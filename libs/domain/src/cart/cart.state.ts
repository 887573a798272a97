import { unknownEvent } from '../decider/index.js';
import type { CartEvent, CartTerms, ShownItem } from './cart.events.js';

/** An item in the cart, as it was put there, and as a checkout has shown it since. */
export interface CartItem extends CartTerms {
  readonly quantity: number;
  /** Null where no checkout was refused for it. */
  readonly shown: ShownItem | null;
}

/** The cart of a player, until its order is paid. */
export interface Cart {
  /** In the order in which they were put there. */
  readonly items: readonly CartItem[];
  /** Another cart has taken its place. */
  readonly isClosed: boolean;
  /** How many messages its events have given (rules/webhooks 5). */
  readonly messageCount: number;
}

export const emptyCart: Cart = { items: [], isClosed: false, messageCount: 0 };

export function findCartItem({ items }: Cart, itemId: string): CartItem | undefined {
  return items.find((item) => item.itemId === itemId);
}

/** How many pieces there are in all. */
export function countCart({ items }: Cart): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}

/**
 * The items left of a cart whose order was paid: those that came into it since its checkout. Of an item that the
 * checkout has shown, the player wanted no more than the shown number.
 */
export function leaveOver(
  { items }: Cart,
  bought: readonly { readonly itemId: string; readonly quantity: number }[],
): readonly CartItem[] {
  const counts = new Map(bought.map(({ itemId, quantity }) => [itemId, quantity]));
  return items.flatMap((item) => {
    const wanted = item.shown?.quantity ?? item.quantity;
    const quantity = wanted - (counts.get(item.itemId) ?? 0);
    return quantity > 0 ? [{ ...item, quantity, shown: null }] : [];
  });
}

/** Folds one event of a cart. */
export function evolveCart(state: Cart, event: CartEvent): Cart {
  switch (event.type) {
    case 'cart.item_set.v1': {
      const { itemId, name, image, price, quantity } = event.data;
      const item = { itemId, name, image, price, quantity, shown: null };
      return { ...state, items: put(state.items, item), messageCount: state.messageCount + 1 };
    }
    case 'cart.item_removed.v1': {
      const items = state.items.filter(({ itemId }) => itemId !== event.data.itemId);
      return { ...state, items, messageCount: state.messageCount + 1 };
    }
    case 'cart.items_carried_over.v1': {
      const items = event.data.items.map((item) => ({ ...item, shown: null }));
      return { ...state, items };
    }
    case 'cart.problems_shown.v1': {
      const shown = new Map(event.data.items.map((each) => [each.itemId, each]));
      const items = state.items.map((item) => ({ ...item, shown: shown.get(item.itemId) ?? null }));
      return { ...state, items };
    }
    case 'cart.closed.v1':
      return { ...state, isClosed: true };
    default:
      return unknownEvent(state, event);
  }
}

function put(items: readonly CartItem[], item: CartItem): readonly CartItem[] {
  const isThere = items.some(({ itemId }) => itemId === item.itemId);
  if (!isThere) return [...items, item];
  return items.map((each) => (each.itemId === item.itemId ? item : each));
}
