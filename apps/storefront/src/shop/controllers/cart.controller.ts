import { Body, Controller, Get, Param, Query } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiOkResponse, ApiQuery, ApiSecurity } from '@nestjs/swagger';
import { PostOk } from '#nest';
import { Refuses } from '#openapi';
import { AnswersInShop, ChangesShop } from './shop-controller.decorator.js';
import { Activities } from '../activity/activities.js';
import { changed, type ShopAnswer, shown } from '../http/shop-answer.js';
import { RefusedFor } from '../http/refused-for.decorator.js';
import { CHANGE_OF_CART, CHANGE_OF_ITEM, LOOK } from '../http/shop-route.js';
import { VisitLimits } from '../http/visit-limits.js';
import { Visit } from '../http/visit.decorator.js';
import { renderCartPage } from '../pages/render-shop-page.js';
import { toCartModel } from '../cart/cart-model.js';
import { AddToCartBody, CartDto, SetQuantityBody } from '../cart/cart.dto.js';
import { ChangeCart, ChangeCartHandler, type WantedItem } from '../cart/change-cart.js';
import { ShowCart, ShowCartHandler, type ShownCart } from '../cart/show-cart.js';

/** The use cases behind the endpoints; the module provides them. */
export const CART_HANDLERS = [ChangeCartHandler, ShowCartHandler];

/** The reasons of each change of the cart's content. */
const REASONS = [
  'AMOUNT_EXCEEDED',
  'CART_CLOSED',
  'CART_FULL',
  'CATALOG_UNAVAILABLE',
  'CURRENCY_MISMATCH',
  'IDEMPOTENCY_KEY_REUSED',
  'ITEM_UNAVAILABLE',
  'QUANTITY_EXCEEDED',
  'TOO_MANY_IDEMPOTENCY_KEYS',
  'TOO_MANY_REQUESTS',
];

/** The cart of a player (rules/webshop 4). */
@AnswersInShop('cart')
@ApiSecurity('session')
@Controller('shop/cart')
export class CartController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly activities: Activities,
    private readonly limits: VisitLimits,
  ) {}

  /** The items in the cart, beside the catalog of now. */
  @Get()
  @Refuses('CATALOG_UNAVAILABLE')
  @ApiOkResponse({ type: CartDto })
  @ApiQuery({
    name: 'from',
    required: false,
    enum: ['button'],
    description:
      'Where the player came from: a webhook tells of a click on the button of the cart.',
  })
  @RouteConfig(LOOK)
  async cart(
    @Visit() visit: Visit,
    @Query('from') from: unknown = '',
    @RefusedFor() reason: string,
  ): Promise<ShopAnswer<CartDto>> {
    const { visitor } = visit;
    if (from === 'button' && this.limits.take(visitor.player)) {
      const clicked = { type: 'activity.cart_button_clicked.v1', data: {} } as const;
      await this.activities.record(visitor, [clicked], visit.source);
    }
    const cart: ShownCart = await this.queries.execute(
      new ShowCart({ reader: visit, states: visit.states }),
    );
    return shown(
      () => toCartModel(cart.view, visitor.csrf),
      () => renderCartPage({ ...visit, ...cart, refusal: reason }),
    );
  }

  /** Puts pieces into the cart, beside those that lie there. */
  @PostOk('items')
  @ChangesShop(CHANGE_OF_ITEM, ...REASONS)
  @ApiOkResponse({ type: CartDto })
  add(@Body() body: AddToCartBody, @Visit() visit: Visit): Promise<ShopAnswer<CartDto>> {
    const { itemId, quantity, formId } = body;
    return this.change(visit, formId, { kind: 'AddItem', itemId, quantity });
  }

  /** Says how many of an item are to be in the cart; 0 takes it out. */
  @PostOk('items/:itemId')
  @ChangesShop(CHANGE_OF_CART, ...REASONS)
  @ApiOkResponse({ type: CartDto })
  set(
    @Param('itemId') itemId: string,
    @Body() { quantity, formId }: SetQuantityBody,
    @Visit() visit: Visit,
  ): Promise<ShopAnswer<CartDto>> {
    return this.change(visit, formId, { kind: 'SetItem', itemId, quantity });
  }

  private async change(
    visit: Visit,
    formId: string,
    wanted: WantedItem,
  ): Promise<ShopAnswer<CartDto>> {
    await this.commands.execute(new ChangeCart({ form: { ...visit, formId }, wanted }));
    const { view }: ShownCart = await this.queries.execute(new ShowCart({ reader: visit }));
    return changed(toCartModel(view, visit.visitor.csrf), '/shop/cart');
  }
}
