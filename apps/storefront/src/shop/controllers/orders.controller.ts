import { Body, Controller, Get, Param } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOkResponse, ApiSecurity } from '@nestjs/swagger';
import type { CreatedOrder } from '#domain/order';
import { toMajor } from '#domain/money';
import { PostOk } from '#nest';
import { BuyNowBody, CheckOutBody } from '../cart/cart.dto.js';
import { AnswersInShop, ChangesShop } from './shop-controller.decorator.js';
import { changed, type ShopAnswer, shown } from '../http/shop-answer.js';
import { CHANGE_OF_CART, CHANGE_OF_ITEM, LOOK } from '../http/shop-route.js';
import { Visit } from '../http/visit.decorator.js';
import { BuyNow, BuyNowHandler } from '../orders/buy-now.js';
import { CheckOutCart, CheckOutCartHandler } from '../orders/check-out-cart.js';
import { MadeOrderDto, type ShopOrderDto, ShopOrderListDto } from '../orders/orders.dto.js';
import type { MadeOrder } from '../orders/shop-orders.js';
import { ShowOrders, ShowOrdersHandler, type ShownOrders } from '../orders/show-orders.js';
import { renderOrdersPage } from '../pages/render-shop-page.js';

/** The use cases behind the endpoints; the module provides them. */
export const ORDER_HANDLERS = [CheckOutCartHandler, BuyNowHandler, ShowOrdersHandler];

/** The purchases of players in the shop, under way and made (rules/webshop 4 and 9). */
@AnswersInShop('orders')
@ApiSecurity('session')
@Controller('shop')
export class ShopOrdersController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
  ) {}

  /** Makes an order of the cart, and leads to its page. */
  @PostOk('cart/checkout')
  @ChangesShop(
    CHANGE_OF_CART,
    'AMOUNT_EXCEEDED',
    'CART_CHANGED',
    'CART_EMPTY',
    'CATALOG_UNAVAILABLE',
    'CHECKOUT_LINK_EXPIRED',
    'IDEMPOTENCY_KEY_REUSED',
    'ORDER_PAID',
    'PAYMENT_PENDING',
    'TOO_MANY_REQUESTS',
  )
  @ApiOkResponse({ type: MadeOrderDto })
  async checkOut(
    @Body() { formId }: CheckOutBody,
    @Visit() visit: Visit,
  ): Promise<ShopAnswer<MadeOrderDto>> {
    return leadTo(await this.commands.execute(new CheckOutCart({ form: { ...visit, formId } })));
  }

  /** Makes an order of one item, and leads to its page. */
  @PostOk('items/:itemId/buy')
  @ChangesShop(
    CHANGE_OF_ITEM,
    'AMOUNT_EXCEEDED',
    'CATALOG_UNAVAILABLE',
    'IDEMPOTENCY_KEY_REUSED',
    'ITEM_UNAVAILABLE',
    'QUANTITY_EXCEEDED',
    'TOO_MANY_REQUESTS',
  )
  @ApiOkResponse({ type: MadeOrderDto })
  async buy(
    @Param('itemId') itemId: string,
    @Body() { formId, quantity }: BuyNowBody,
    @Visit() visit: Visit,
  ): Promise<ShopAnswer<MadeOrderDto>> {
    const form = { ...visit, formId };
    return leadTo(await this.commands.execute(new BuyNow({ form, itemId, quantity })));
  }

  /** The player's orders, the newest first. */
  @Get('orders')
  @ApiOkResponse({ type: ShopOrderListDto })
  @RouteConfig(LOOK)
  async orders(@Visit() visit: Visit): Promise<ShopAnswer<ShopOrderListDto>> {
    const { visitor, states } = visit;
    const view: ShownOrders = await this.queries.execute(new ShowOrders({ visitor, states }));
    return shown(
      () => ({ orders: view.orders.map(toModel) }),
      () => renderOrdersPage({ ...visit, ...view }),
    );
  }
}

/** The checkout is on the same site: a browser is led there by its path. */
function leadTo({ orderId, url }: MadeOrder): ShopAnswer<MadeOrderDto> {
  return changed({ orderId, url }, new URL(url).pathname);
}

function toModel({ orderId, createdAt, items, quote, status }: CreatedOrder): ShopOrderDto {
  return {
    ...{ orderId, createdAt },
    items: items.map(({ itemId: id, name, quantity, price }) => ({
      ...{ id, name, quantity, price: toMajor(price) },
    })),
    ...{ total: toMajor(quote.amount), currency: quote.amount.currency, status },
  };
}
