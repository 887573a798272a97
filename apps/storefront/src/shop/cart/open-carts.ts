import { Injectable } from '@nestjs/common';
import { type Cart, cartAggregate } from '#domain/cart';
import { readPlayerBucket } from '#domain/ids';
import { type OpenCart, type Shop, shopAggregate } from '#domain/shop';
import type { StateLoader } from '#event-store';
import { Ledger } from '#nest';
import { assertDefect, newId } from '#platform';
import type { VisitorContext } from '../http/form-source.js';
import { EndedOrders } from '../charges/ended-orders.js';

/** What lies in a player's cart. */
export interface FoundCart {
  readonly shop: Shop;
  /** Null where there is none, or the last one was paid. */
  readonly open: OpenCart | null;
  readonly cart: Cart;
}

/** The one open cart of each player (rules/webshop 4). A cart is closed by the payment of its order. */
@Injectable()
export class OpenCarts {
  constructor(
    private readonly ledger: Ledger,
    private readonly ended: EndedOrders,
  ) {}

  /** @param states what is stored as of the request; by default, as of now. @throws Fault of the store. */
  async find(player: string, states: StateLoader = this.ledger): Promise<FoundCart> {
    const { state: shop } = await states.load(shopAggregate, player);
    const open = shop.cart !== null && (await this.isPaid(shop, shop.cart)) ? null : shop.cart;
    if (open === null) return { shop, open, cart: cartAggregate.decider.initialState };
    const { state: cart } = await states.load(cartAggregate, open.cartId);
    return { shop, open, cart };
  }

  /** The open cart; a new one where there is none. @param context without a key. @throws Fault of the store. */
  async require(context: VisitorContext, { shop, open }: FoundCart): Promise<OpenCart> {
    if (open !== null) return open;
    const { player, now } = context;
    const cartId = newId('cart', now, readPlayerBucket(player));
    const former = shop.cart?.cartId ?? null;
    const { state } = await this.ledger.execute(
      shopAggregate,
      player,
      { kind: 'OpenCart', cartId, former, now },
      context,
      { what: 'shop' },
    );
    assertDefect(state.cart !== null, 'a cart was opened');
    return state.cart;
  }

  private async isPaid(shop: Shop, cart: OpenCart): Promise<boolean> {
    return (await this.ended.findPaid(shop, cart)) !== undefined;
  }
}
