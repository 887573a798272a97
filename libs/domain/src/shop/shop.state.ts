import { addHours, addMilliseconds } from '../calendar/index.js';
import { unknownEvent } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { ChargeRequested, OrderBegun, ShopEvent } from './shop.events.js';

/**
 * The catalog's numbers know of what its studio knows: what was bought or claimed within this time may not
 * have come there yet (rules/webshop 5).
 */
export const NOT_TOLD_YET_MS = 10 * 60_000;
/**
 * What was charged for is remembered for so long: a page of an order lives a day, and a charge has its outcome a day
 * after it was asked for.
 */
const CHARGES_REMEMBERED_HOURS = 49;

/** The open cart of a player, with the order that its last checkout made. */
export interface OpenCart {
  readonly cartId: string;
  readonly orderId: string | null;
}

/** Claims of an item, ever. */
export interface ItemClaims {
  readonly count: number;
  /** Those of the last minutes before the latest one. */
  readonly lately: readonly Instant[];
}

/** What a player has done in the shop, as far as later decisions need it. */
export interface Shop {
  readonly cart: OpenCart | null;
  /** The order of the last checkout. */
  readonly lastOrder: OrderBegun['data'] | null;
  /** In their order; what came of them is said by the orders themselves. */
  readonly charges: readonly ChargeRequested['data'][];
  readonly claims: ReadonlyMap<string, ItemClaims>;
  /** How many messages its events have given (rules/webhooks 5). */
  readonly messageCount: number;
}

export const newShop: Shop = {
  cart: null,
  lastOrder: null,
  charges: [],
  claims: new Map(),
  messageCount: 0,
};

/** Folds one event of a player's shop. */
export function evolveShop(state: Shop, event: ShopEvent): Shop {
  switch (event.type) {
    case 'shop.cart_opened.v1':
      return { ...state, cart: { cartId: event.data.cartId, orderId: null } };
    case 'shop.order_begun.v1': {
      const { orderId, cartId } = event.data;
      const isOfCart = cartId !== null && state.cart?.cartId === cartId;
      return { ...state, lastOrder: event.data, ...(isOfCart && { cart: { cartId, orderId } }) };
    }
    case 'shop.charge_requested.v1': {
      const { orderId, requestedAt } = event.data;
      const before = state.charges.filter(
        (charge) =>
          charge.orderId !== orderId &&
          addHours(charge.requestedAt, CHARGES_REMEMBERED_HOURS) > requestedAt,
      );
      return { ...state, charges: [...before, event.data] };
    }
    case 'shop.item_claimed.v1': {
      const { itemId, claimedAt } = event.data;
      const { count, lately } = state.claims.get(itemId) ?? { count: 0, lately: [] };
      const recent = lately.filter((at) => isRecent(at, claimedAt));
      const claims = new Map(state.claims);
      claims.set(itemId, { count: count + 1, lately: [...recent, claimedAt] });
      return { ...state, claims, messageCount: state.messageCount + 1 };
    }
    default:
      return unknownEvent(state, event);
  }
}

/** Whether the studio may not know yet of what happened then. */
export function isRecent(at: Instant, now: Instant): boolean {
  return addMilliseconds(at, NOT_TOLD_YET_MS) > now;
}
