import { addHours, addMilliseconds } from '../calendar/index.js';
import { unknownEvent } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { SHOP_SESSION_HOURS } from '../shop-session/index.js';
import type {
  CartOpened,
  ChargeRequested,
  ItemClaimed,
  OrderBegun,
  ShopEvent,
} from './shop.events.js';

/**
 * The catalog counts the purchases that its studio knows of: one within this time may not have come there yet
 * (rules/webshop 5).
 */
const DELIVERED_WITHIN_MS = 10 * 60_000;
/**
 * Charges and claims are remembered for so long: a webhook that is sent at all is delivered or given up after some
 * three days (rules/webhooks 6), and a charge has its outcome two days after its order was made.
 */
const REMEMBERED_HOURS = 7 * 24;

/** Claims of an item that are remembered beside those of the last minutes: each may have to be asked about. */
const CLAIMS_REMEMBERED = 100;

/** A player who pays more carts than that while a session lasts is no person. */
const CARTS_REMEMBERED = 100;

/** Orders that a player is shown (rules/webshop 9): older ones the studio knows. */
const ORDERS_REMEMBERED = 100;

/** The open cart of a player, with the order that its last checkout made. */
export interface OpenCart {
  readonly cartId: string;
  readonly orderId: string | null;
  readonly wallOpenedAt: Instant;
}

/** A cart that was paid, and when the next one was opened, by the wall clock. */
interface FormerCart {
  readonly cartId: string;
  readonly closedAt: Instant;
}

/** Claims of an item, ever. */
export interface ItemClaims {
  readonly count: number;
  /** Those before the latest one of which the studio may not know yet, in their order. */
  readonly lately: readonly ItemClaim[];
}

type ItemClaim = Pick<ItemClaimed['data'], 'claimId' | 'claimedAt'>;

/** A player's acts in the shop, as far as later decisions need them. */
export interface Shop {
  readonly cart: OpenCart | null;
  /** Those before it that forms of sessions may be of, the newest first: sent again, they are found there. */
  readonly formerCarts: readonly FormerCart[];
  /** The orders of the last checkouts, the newest first. */
  readonly orders: readonly OrderBegun['data'][];
  /** In their order; the orders themselves have their outcomes. */
  readonly charges: readonly ChargeRequested['data'][];
  readonly claims: ReadonlyMap<string, ItemClaims>;
  /** How many messages its events have given (rules/webhooks 5). */
  readonly messageCount: number;
}

export const newShop: Shop = {
  cart: null,
  formerCarts: [],
  orders: [],
  charges: [],
  claims: new Map(),
  messageCount: 0,
};

/** Folds one event of a player's shop. */
export function evolveShop(state: Shop, event: ShopEvent): Shop {
  switch (event.type) {
    case 'shop.cart_opened.v2':
      return openCart(state, event.data);
    case 'shop.order_begun.v2': {
      const { orderId, cartId } = event.data;
      const cart = state.cart?.cartId === cartId ? { ...state.cart, orderId } : state.cart;
      const orders = [event.data, ...state.orders].slice(0, ORDERS_REMEMBERED);
      return { ...state, orders, cart };
    }
    case 'shop.charge_requested.v1': {
      const { orderId, requestedAt } = event.data;
      const before = state.charges.filter(
        (charge) => charge.orderId !== orderId && isRemembered(charge.requestedAt, requestedAt),
      );
      return { ...state, charges: [...before, event.data] };
    }
    case 'shop.item_claimed.v1': {
      const { itemId, claimId, claimedAt } = event.data;
      const { count, lately } = state.claims.get(itemId) ?? { count: 0, lately: [] };
      const claims = new Map(state.claims);
      const kept = [...forgetOld(lately, claimedAt), { claimId, claimedAt }];
      claims.set(itemId, { count: count + 1, lately: kept });
      return { ...state, claims, messageCount: state.messageCount + 1 };
    }
    default:
      return unknownEvent(state, event);
  }
}

function openCart(state: Shop, { cartId, wallOpenedAt: now }: CartOpened['data']): Shop {
  const cart = { cartId, orderId: null, wallOpenedAt: now };
  if (state.cart === null) return { ...state, cart };
  const former = { cartId: state.cart.cartId, closedAt: now };
  const kept = state.formerCarts.filter(
    (each) => addHours(each.closedAt, SHOP_SESSION_HOURS) > now,
  );
  return { ...state, cart, formerCarts: [former, ...kept].slice(0, CARTS_REMEMBERED) };
}

/**
 * Whether an order can still be paid as far as its cart decides: it is that of the last checkout, and the cart was not
 * followed by another one, as where it was paid (rules/webshop 4). A single item is of no cart.
 */
export function isLastOfCart(
  { cart }: Shop,
  { orderId, cartId }: Pick<OrderBegun['data'], 'orderId' | 'cartId'>,
): boolean {
  return cartId === null || (cart?.cartId === cartId && cart.orderId === orderId);
}

/** The language in which the catalog was asked for an order's items; empty where it is not known any more. */
export function findCatalogLanguage({ orders }: Shop, orderId: string): string {
  return orders.find((order) => order.orderId === orderId)?.catalogLanguage ?? '';
}

function forgetOld(claims: readonly ItemClaim[], now: Instant): ItemClaim[] {
  const recent = claims.filter(({ claimedAt }) => isRecent(claimedAt, now));
  const older = claims.slice(0, claims.length - recent.length);
  const kept = older.filter(({ claimedAt }) => isRemembered(claimedAt, now));
  return [...kept.slice(-CLAIMS_REMEMBERED), ...recent];
}

function isRemembered(at: Instant, now: Instant): boolean {
  return addHours(at, REMEMBERED_HOURS) > now;
}

/** Whether the studio may not know yet of that moment's events, also where its webhook is delivered. */
export function isRecent(at: Instant, now: Instant): boolean {
  return addMilliseconds(at, DELIVERED_WITHIN_MS) > now;
}
