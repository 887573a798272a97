import { Inject, Injectable } from '@nestjs/common';
import type { CatalogItem } from '#domain/catalog';
import { readPlayerBucket } from '#domain/ids';
import { addUp, isChargeable } from '#domain/money';
import { orderAggregate, type OrderItem } from '#domain/order';
import { isLastOfCart, type Shop, shopAggregate } from '#domain/shop';
import { ApiError, Ledger, OrderPlacement } from '#nest';
import { assertDefect, newId } from '#platform';
import { STOREFRONT_URL } from '../../tokens.js';
import { type VisitorContext, withoutKey } from '../http/shop-forms.js';
import { amountExceeded, cartEmpty } from '../http/shop-refusals.js';
import type { Visitor } from '../session/visitor.js';

/** The result of a checkout in the shop. */
export interface MadeOrder {
  readonly orderId: string;
  /** The page where it is paid, absolute. */
  readonly url: string;
}

/** The purchase: a single item, beside the cart. */
export interface WantedSingle {
  readonly visitor: Visitor;
  /** In which its items were asked for. */
  readonly catalogLanguage: string;
  readonly items: readonly OrderItem[];
}

/** The same of a cart. */
export interface WantedCart extends WantedSingle {
  readonly cartId: string;
}

/** An order that is begun, of a cart or of none. */
type WantedOrder = WantedSingle & { readonly cartId: string | null };

/** How often an order is begun anew where another window has begun and paid one in between. */
const BEGUN_AGAIN = 2;
const NONE: ReadonlySet<string> = new Set();

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
    const before = await this.ledger.answerBefore(shopAggregate, context.player, context);
    if (before === undefined) return undefined;
    const { orderId } = requireLastOrder(before.state);
    const { state: order } = await this.ledger.load(orderAggregate, orderId);
    // A crash came before it was made: it is checked and made now.
    return order.status === 'none' ? undefined : this.answer(orderId, order.checkoutLinkId);
  }

  /**
   * An order of a single item, made for it alone.
   *
   * @param context with the key of the form. @throws ApiError 9 AMOUNT_EXCEEDED for more than any payment can come to;
   *   Fault of the store.
   */
  async makeSingle(context: VisitorContext, wanted: WantedSingle): Promise<MadeOrder> {
    requireChargeable(wanted);
    const single = { ...wanted, cartId: null };
    const begun = requireLastOrder(await this.begin(context, single, NONE));
    return this.place(withoutKey(context), single, begun);
  }

  /**
   * Of the orders of a cart, the last one that was begun is the one that can be paid, and its earlier ones end. Two
   * checkouts at once meet in the player's own stream: each sees the other, or is seen by it.
   *
   * @param context with the key of the form. @throws ApiError 9 where an earlier order of the cart is being paid, and
   *   AMOUNT_EXCEEDED for more than any payment can come to; Fault of the store.
   */
  async makeOfCart(context: VisitorContext, wanted: WantedCart): Promise<MadeOrder> {
    // Before anything is begun: an earlier order of the cart stays.
    requireChargeable(wanted);
    const state = await this.beginOfCart(context, wanted);
    const begun = requireLastOrder(state);
    // One that was begun in between was not there to be ended.
    await this.endEarlier(context, state, begun);
    const made = await this.place(withoutKey(context), wanted, begun);
    await this.endIfReplaced(context, begun);
    return made;
  }

  /** Another one may be begun and paid in between: then that is found to be paid, or its end is waited for. */
  private async beginOfCart(context: VisitorContext, wanted: WantedCart): Promise<Shop> {
    for (let left = BEGUN_AGAIN; ; left -= 1) {
      const ended = await this.endOthers(context, wanted.cartId);
      const state = await this.begin(context, wanted, ended).catch((error: unknown) => {
        if (left > 0 && error instanceof ApiError && error.reason === 'PAYMENT_PENDING')
          return null;
        throw error;
      });
      if (state !== null) return state;
    }
  }

  private async begin(
    context: VisitorContext,
    { cartId, catalogLanguage }: WantedOrder,
    ended: ReadonlySet<string>,
  ): Promise<Shop> {
    const { player, now } = context;
    const orderId = newId('ord', now, readPlayerBucket(player));
    const command = { kind: 'BeginOrder', orderId, cartId, catalogLanguage, ended, now } as const;
    const result = await this.ledger.execute(shopAggregate, player, command, context);
    return result.state;
  }

  private async hasBegun(context: VisitorContext): Promise<boolean> {
    const before = await this.ledger.answerBefore(shopAggregate, context.player, context);
    return before !== undefined;
  }

  /** Nothing is begun where an order of the cart is being paid, or was: then the cart is closed. */
  private async endOthers(context: VisitorContext, cartId: string): Promise<ReadonlySet<string>> {
    const { state: shop } = await this.ledger.load(shopAggregate, context.player);
    // The same form, sent twice at once, may have begun its order since: that is none of the others.
    if (shop.orders.length === 0 || (await this.hasBegun(context))) return NONE;
    return this.endEarlier(context, shop, { orderId: '', cartId });
  }

  /** Ends the orders of a cart that were begun before this one. @returns those that have ended. */
  private async endEarlier(
    context: VisitorContext,
    { orders }: Shop,
    { orderId, cartId }: Pick<BegunOrder, 'orderId' | 'cartId'>,
  ): Promise<ReadonlySet<string>> {
    const ended = new Set<string>();
    const earlier = orders.filter((order) => order.cartId === cartId && order.orderId !== orderId);
    try {
      for (const order of earlier) {
        const hasEnded = await this.placement.replace(order.orderId, withoutKey(context));
        if (hasEnded) ended.add(order.orderId);
      }
    } catch (error) {
      if (error instanceof ApiError && error.reason === 'ORDER_PAID') throw cartEmpty();
      throw error;
    }
    return ended;
  }

  /** A later checkout could not end an order that was not made yet. */
  private async endIfReplaced(context: VisitorContext, begun: BegunOrder): Promise<void> {
    const { state: shop } = await this.ledger.load(shopAggregate, context.player);
    if (isLastOfCart(shop, begun)) return;
    await this.placement.replace(begun.orderId, withoutKey(context));
  }

  private async place(
    context: VisitorContext,
    { visitor, cartId, items }: WantedOrder,
    { orderId }: BegunOrder,
  ): Promise<MadeOrder> {
    const { regionCode, language, personal } = visitor;
    const currency = requireCurrency(items);
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

/** @throws ApiError 9 for more than a payment can come to. */
function requireChargeable({ items }: WantedSingle): void {
  if (!isChargeable(addUp(items, requireCurrency(items)))) throw amountExceeded();
}

function requireCurrency(items: readonly OrderItem[]): string {
  const currency = items[0]?.price.currency;
  assertDefect(currency !== undefined, 'an order is of something');
  return currency;
}

type BegunOrder = Shop['orders'][number];

function requireLastOrder({ orders }: Shop): BegunOrder {
  const [last] = orders;
  assertDefect(last !== undefined, 'an order was begun');
  return last;
}
