import type { DomainEvent, Instant } from '../event/index.js';
import type { PersonalTexts } from '../personal-data/index.js';

/** So many pieces of an item of the catalog. */
export interface ItemCount {
  readonly itemId: string;
  readonly quantity: number;
}

/** The player's cart from here on; the one before was paid. */
export type CartOpened = DomainEvent<
  'shop.cart_opened.v2',
  {
    readonly cartId: string;
    readonly openedAt: Instant;
    /** The same moment on the wall clock, which sessions and their forms keep to. */
    readonly wallOpenedAt: Instant;
  }
>;
/** A checkout in the shop: which order it makes is fixed before that is made. */
export type OrderBegun = DomainEvent<
  'shop.order_begun.v2',
  {
    readonly orderId: string;
    /** Null where a single item is bought at once. */
    readonly cartId: string | null;
    /** In which the catalog was asked for its items. */
    readonly catalogLanguage: string;
    readonly begunAt: Instant;
  }
>;
/** The player pays an order: its items count from here on, unless nothing comes of it (rules/webshop 5). */
export type ChargeRequested = DomainEvent<
  'shop.charge_requested.v1',
  {
    readonly orderId: string;
    readonly items: readonly ItemCount[];
    readonly requestedAt: Instant;
  }
>;
/** The player took an item that costs nothing. */
export type ItemClaimed = DomainEvent<
  'shop.item_claimed.v1',
  {
    readonly claimId: string;
    readonly itemId: string;
    readonly personal: Pick<PersonalTexts, 'ipAddress'>;
    readonly claimedAt: Instant;
  }
>;

export type ShopEvent = CartOpened | OrderBegun | ChargeRequested | ItemClaimed;
