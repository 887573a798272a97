import { Inject, Injectable } from '@nestjs/common';
import type { CatalogItem } from '#domain/catalog';
import { readPlayerBucket } from '#domain/ids';
import { orderAggregate, type OrderItem } from '#domain/order';
import { type Shop, shopAggregate } from '#domain/shop';
import { ApiError, Ledger, OrderPlacement } from '#nest';
import { assertDefect, newId } from '#platform';
import { STOREFRONT_URL } from '../../tokens.js';
import { type VisitorContext, withoutKey } from '../http/form-source.js';
import { cartEmpty } from '../http/shop-refusals.js';
import type { Visitor } from '../session/visitor.js';

/** What a checkout in the shop leads to. */
export interface MadeOrder {
  readonly orderId: string;
  /** The page where it is paid, absolute. */
  readonly url: string;
}

/** What is bought: a cart, or a single item beside it. */
export interface WantedOrder {
  readonly visitor: Visitor;
  readonly cartId: string | null;
  readonly items: readonly OrderItem[];
}

/** Makes the orders of the shop, each once for its form (rules/webshop 4). */
@Injectable()
export class ShopOrders {
  constructor(
    private readonly ledger: Ledger,
    private readonly placement: OrderPlacement,
    @Inject(STOREFRONT_URL) private readonly storefrontUrl: string,
  ) {}

  /** The order that the same form has made before. @throws ApiError 10 for another content; Fault of the store. */
  async findMade(context: VisitorContext): Promise<MadeOrder | undefined> {
    const what = { what: 'shop' };
    const before = await this.ledger.answerBefore(shopAggregate, context.player, context, what);
    if (before === undefined) return undefined;
    const { orderId } = requireLastOrder(before.state);
    const { state: order } = await this.ledger.load(orderAggregate, orderId);
    // A crash came before it was made: it is checked and made now.
    return order.status === 'none' ? undefined : this.answer(orderId, order.checkoutLinkId);
  }

  /**
   * @param context with the key of the form. @throws ApiError 9 where the cart's earlier order is being paid;
   *   Fault of the store.
   */
  async make(context: VisitorContext, wanted: WantedOrder): Promise<MadeOrder> {
    const { player, now } = context;
    if (wanted.cartId !== null) await this.endEarlier(context);
    const orderId = newId('ord', now, readPlayerBucket(player));
    const { state } = await this.ledger.execute(
      shopAggregate,
      player,
      { kind: 'BeginOrder', orderId, cartId: wanted.cartId, now },
      context,
      { what: 'shop' },
    );
    return this.place(withoutKey(context), wanted, requireLastOrder(state));
  }

  private async hasBegun(context: VisitorContext): Promise<boolean> {
    const what = { what: 'shop' };
    const before = await this.ledger.answerBefore(shopAggregate, context.player, context, what);
    return before !== undefined;
  }

  /** The earlier order of a cart ends, where it is unpaid; where it was paid just now, so is the cart. */
  private async endEarlier(context: VisitorContext): Promise<void> {
    const { state: shop } = await this.ledger.load(shopAggregate, context.player);
    const orderId = shop.cart?.orderId ?? null;
    // The same form, sent twice at once, may have begun it since: it is no earlier one then.
    if (orderId === null || (await this.hasBegun(context))) return;
    try {
      await this.placement.replace(orderId, withoutKey(context));
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'ORDER_PAID') throw cartEmpty();
      throw error;
    }
  }

  private async place(
    context: VisitorContext,
    { visitor, cartId, items }: WantedOrder,
    { orderId }: BegunOrder,
  ): Promise<MadeOrder> {
    const { regionCode, language, personal } = visitor;
    const currency = items[0]?.price.currency;
    assertDefect(currency !== undefined, 'an order is of something');
    const source = cartId === null ? 'BuyNow' : 'Cart';
    const placed = await this.placement.place(
      {
        ...{ orderId, source, items, currency, regionCode, language, personal },
        ...(cartId !== null && { cartId }),
      },
      context,
    );
    return this.answer(orderId, placed.order.checkoutLinkId);
  }

  private answer(orderId: string, linkId: string): MadeOrder {
    return { orderId, url: `${this.storefrontUrl}/checkout/${linkId}` };
  }
}

/** So many pieces of an item of the catalog, as an order has it. */
export function toOrderItem(item: CatalogItem, quantity: number): OrderItem {
  const { id: itemId, name, description, image, price } = item;
  return { itemId, name, description, image, quantity, price };
}

type BegunOrder = Shop['orders'][number];

function requireLastOrder({ orders }: Shop): BegunOrder {
  const [last] = orders;
  assertDefect(last !== undefined, 'an order was begun');
  return last;
}
