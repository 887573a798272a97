import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
} from '../decider/index.js';
import { laterInstant } from '../calendar/index.js';
import type { Instant } from '../event/index.js';
import type { PersonalTexts } from '../personal-data/index.js';
import type { ItemCount, ShopEvent } from './shop.events.js';
import { type CountedAt, countClaimsLeft, countLeft } from './shop.limits.js';
import { evolveShop, isLastOfCart, newShop, type Shop } from './shop.state.js';

/** An item that is to be paid, and how many the player may still have by the catalog; null for any number. */
export interface LimitedCount extends ItemCount {
  readonly maxPurchasable: number | null;
}

export type ShopCommand =
  | {
      readonly kind: 'OpenCart';
      readonly cartId: string;
      /** The cart that was paid, whose place this one takes; null for the first one. */
      readonly former: string | null;
      readonly now: Instant;
      readonly wallNow: Instant;
    }
  | {
      readonly kind: 'BeginOrder';
      readonly orderId: string;
      readonly cartId: string | null;
      readonly catalogLanguage: string;
      /** Those of the cart that were found to have ended: none of them is paid any more. */
      readonly ended: ReadonlySet<string>;
      readonly now: Instant;
    }
  | (CountedAt & {
      readonly kind: 'RequestCharge';
      readonly orderId: string;
      /** The cart that it is of; null where a single item was bought at once. */
      readonly cartId: string | null;
      readonly items: readonly LimitedCount[];
    })
  | (CountedAt & {
      readonly kind: 'ClaimItem';
      readonly claimId: string;
      readonly itemId: string;
      readonly maxPurchasable: number | null;
      readonly personal: Pick<PersonalTexts, 'ipAddress'>;
    });

export interface ShopRejection extends AnyRejection {
  readonly code: 'shop/order_pending' | 'shop/order_replaced' | 'shop/quantity_exceeded';
}

type ShopDecision = Decision<ShopEvent, ShopRejection>;

/** Decides for one player, so that clicks in two windows are counted together. */
function decideShop(command: ShopCommand, state: Shop): ShopDecision {
  switch (command.kind) {
    case 'OpenCart': {
      // Another window may have opened one just now: that is the player's.
      if ((state.cart?.cartId ?? null) !== command.former) return accept();
      const { cartId, now: openedAt, wallNow } = command;
      // The wall clock of another machine may be behind the shop's last event (rules/events 3).
      const wallOpenedAt = laterInstant(wallNow, state.cart?.wallOpenedAt ?? '');
      return accept({ type: 'shop.cart_opened.v2', data: { cartId, openedAt, wallOpenedAt } });
    }
    case 'BeginOrder': {
      const { orderId, cartId, catalogLanguage, now: begunAt } = command;
      if (isBeingPaid(state, command)) return reject('shop/order_pending');
      const data = { orderId, cartId, catalogLanguage, begunAt };
      return accept({ type: 'shop.order_begun.v2', data });
    }
    case 'RequestCharge':
      return requestCharge(command, state);
    case 'ClaimItem':
      return claimItem(command, state);
  }
}

/**
 * Whether an order of the cart was charged for that was not seen to have ended: it was begun and taken to the bank since,
 * and would be one that neither can be paid again nor ends.
 */
function isBeingPaid(
  { orders, charges }: Shop,
  { cartId, ended }: Extract<ShopCommand, { kind: 'BeginOrder' }>,
): boolean {
  if (cartId === null) return false;
  const charged = new Set(charges.map(({ orderId }) => orderId));
  return orders.some(
    (order) => order.cartId === cartId && charged.has(order.orderId) && !ended.has(order.orderId),
  );
}

/**
 * An order that counts already is being paid, or was: asked for again, it takes no more. Of the orders of a cart, the
 * last one alone is paid: an earlier one may not have ended yet, or was made later than it was begun.
 */
function requestCharge(
  command: Extract<ShopCommand, { kind: 'RequestCharge' }>,
  state: Shop,
): ShopDecision {
  const { orderId, items, over, undelivered, now } = command;
  if (!isLastOfCart(state, command)) return reject('shop/order_replaced', orderId);
  const isCounted = state.charges.some((charge) => charge.orderId === orderId);
  if (isCounted && !over.has(orderId)) return accept();
  const counted = { over: new Set([...over, orderId]), undelivered, now };
  const exceeded = items.find(
    ({ itemId, quantity, maxPurchasable }) =>
      maxPurchasable !== null && quantity > countLeft(state, itemId, maxPurchasable, counted),
  );
  if (exceeded !== undefined) return reject('shop/quantity_exceeded', exceeded.itemId);
  const counts = items.map(({ itemId, quantity }) => ({ itemId, quantity }));
  return accept({
    type: 'shop.charge_requested.v1',
    data: { orderId, items: counts, requestedAt: now },
  });
}

function claimItem(
  command: Extract<ShopCommand, { kind: 'ClaimItem' }>,
  state: Shop,
): ShopDecision {
  const { claimId, itemId, maxPurchasable, personal, now } = command;
  const left = countClaimsLeft(state, itemId, maxPurchasable, command);
  if (left === 0) return reject('shop/quantity_exceeded', itemId);
  return accept({
    type: 'shop.item_claimed.v1',
    data: { claimId, itemId, personal, claimedAt: now },
  });
}

/** One stream for each player, named by the pseudonym (decision 0034). */
export const shopAggregate = defineAggregate('shop', {
  initialState: newShop,
  evolve: evolveShop,
  decide: decideShop,
});
