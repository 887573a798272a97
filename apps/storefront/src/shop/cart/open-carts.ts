import { Inject, Injectable } from '@nestjs/common';
import { type Cart, cartAggregate, leaveOver } from '#domain/cart';
import { readPlayerBucket } from '#domain/ids';
import type { CreatedOrder } from '#domain/order';
import { type OpenCart, type Shop, shopAggregate } from '#domain/shop';
import { CLOCK, Ledger } from '#nest';
import { assertDefect, type Clock, newId } from '#platform';
import type { VisitorContext } from '../http/shop-forms.js';
import { EndedOrders } from '../charges/ended-orders.js';
import type { StateLoader } from '../player-states.js';

/** The content of a player's cart. */
export interface FoundCart {
  readonly shop: Shop;
  /** Null where there is none, or the last one was paid. */
  readonly open: OpenCart | null;
  /** Where the last one was paid, its remaining items: the next one begins with those. */
  readonly cart: Cart;
  /** The paid items of the last one; null where it was not paid. */
  readonly bought: CreatedOrder['items'] | null;
}

/** The one open cart of each player (rules/webshop 4). A cart is closed by the payment of its order. */
@Injectable()
export class OpenCarts {
  constructor(
    private readonly ledger: Ledger,
    private readonly ended: EndedOrders,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** @param states stored as of the request; by default, as of now. @throws Fault of the store. */
  async find(player: string, states: StateLoader = this.ledger): Promise<FoundCart> {
    const { state: shop } = await states.load(shopAggregate, player);
    if (shop.cart === null) return { shop, open: null, cart: EMPTY, bought: null };
    const paid = await this.ended.findPaid(shop, shop.cart);
    const { state: cart } = await states.load(cartAggregate, shop.cart.cartId);
    if (paid === undefined) return { shop, open: shop.cart, cart, bought: null };
    const left = { ...EMPTY, items: leaveOver(cart, paid.items) };
    return { shop, open: null, cart: left, bought: paid.items };
  }

  /** The open cart; a new one where there is none. @param context without a key. @throws Fault of the store. */
  async require(context: VisitorContext, found: FoundCart): Promise<OpenCart> {
    const { shop, open } = found;
    if (open !== null) return open;
    const { player, now } = context;
    const cartId = newId('cart', now, readPlayerBucket(player));
    // It has its items before anyone knows of it; where another window opens one at once, it stays unknown.
    const items = await this.close(found, context);
    if (items.length > 0) await this.carryOver(cartId, items, context);
    const former = shop.cart?.cartId ?? null;
    const { state } = await this.ledger.execute(
      shopAggregate,
      player,
      { kind: 'OpenCart', cartId, former, now, wallNow: this.clock.now() },
      context,
    );
    assertDefect(state.cart !== null, 'a cart was opened');
    return state.cart;
  }

  /**
   * The earlier answer to a form, in whichever cart of its session: it may be of one that was paid since (decision
   * 0034). @throws Fault of the store.
   */
  async findAnswers({ shop }: FoundCart, context: VisitorContext) {
    const carts = [...(shop.cart === null ? [] : [shop.cart]), ...shop.formerCarts];
    const answers = carts.map(({ cartId }) =>
      this.ledger.answerBefore(cartAggregate, cartId, context),
    );
    return (await Promise.all(answers)).flatMap((answer) => answer ?? []);
  }

  /**
   * An item that comes into a cart meets the cart's end in the cart's own stream: it is left over, or refused (decision
   * 0034).
   */
  private async close({ shop, bought }: FoundCart, context: VisitorContext) {
    if (shop.cart === null || bought === null) return [];
    const { cartId } = shop.cart;
    const command = { kind: 'CloseCart', now: context.now } as const;
    const { state } = await this.ledger.execute(cartAggregate, cartId, command, context);
    return leaveOver(state, bought);
  }

  private async carryOver(
    cartId: string,
    items: Cart['items'],
    context: VisitorContext,
  ): Promise<void> {
    const command = { kind: 'CarryOver', items, now: context.now } as const;
    const options = { isNew: true };
    await this.ledger.execute(cartAggregate, cartId, command, context, options);
  }
}

const EMPTY = cartAggregate.decider.initialState;
