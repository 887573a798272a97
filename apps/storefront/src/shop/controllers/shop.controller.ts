import { Body, Controller, Get, Param } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiNoContentResponse, ApiOkResponse, ApiSecurity } from '@nestjs/swagger';
import type { CatalogItem } from '#domain/catalog';
import { notFound, PostOk } from '#nest';
import { Refuses } from '#openapi';
import { AnswersInShop, ChangesShop } from './shop-controller.decorator.js';
import { Activities } from '../activity/activities.js';
import { RecordViews, RecordViewsHandler } from '../activity/record-views.js';
import { changed, NOTED, type ShopAnswer, shown } from '../http/shop-answer.js';
import { RefusedFor } from '../http/refused-for.decorator.js';
import { CHANGE, CHANGE_OF_ITEM, LOOK } from '../http/shop-route.js';
import { VisitLimits } from '../http/visit-limits.js';
import { Visit } from '../http/visit.decorator.js';
import { renderItemPage, renderShopPage } from '../pages/render-shop-page.js';
import { ClaimItem, ClaimItemHandler } from '../browse/claim-item.js';
import { toItemModel } from '../browse/shop-model.js';
import { toCampaignModel } from '../loyalty/player-loyalty.js';
import {
  ClaimBody,
  ClaimedItemDto,
  ShopDto,
  ShopItemPageDto,
  ViewsBody,
} from '../browse/shop.dto.js';
import { ShowShop, ShowShopHandler, type ShopView } from '../browse/show-shop.js';

/** The use cases behind the endpoints; the module provides them. */
export const SHOP_HANDLERS = [ShowShopHandler, ClaimItemHandler, RecordViewsHandler];

/** The shop and its items (rules/webshop 3, 6 and 7). */
@AnswersInShop('shop')
@ApiSecurity('session')
@Controller('shop')
export class ShopController {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly activities: Activities,
    private readonly limits: VisitLimits,
  ) {}

  /** The items that the player can buy. */
  @Get()
  @Refuses('CATALOG_UNAVAILABLE')
  @ApiOkResponse({ type: ShopDto })
  @RouteConfig(LOOK)
  async shop(@Visit() visit: Visit, @RefusedFor() reason: string): Promise<ShopAnswer<ShopDto>> {
    const view: ShopView = await this.queries.execute(new ShowShop({ reader: visit }));
    const { csrf } = visit.visitor;
    const model = () => {
      const toModel = (item: CatalogItem) => toItemModel(view.offer(item));
      const rows = view.rows.map(({ header, items }) => ({ header, items: items.map(toModel) }));
      const loyalty = view.loyalty.map(toCampaignModel);
      return { csrf, rows, cart: { quantity: view.cartQuantity }, loyalty };
    };
    return shown(model, () => renderShopPage({ ...visit, ...view, refusal: reason }));
  }

  /** One item, in full. */
  @Get('items/:itemId')
  @Refuses('CATALOG_UNAVAILABLE', 'ITEM_NOT_FOUND')
  @ApiOkResponse({ type: ShopItemPageDto })
  @RouteConfig(LOOK)
  async item(
    @Param('itemId') itemId: string,
    @Visit() visit: Visit,
    @RefusedFor() reason: string,
  ): Promise<ShopAnswer<ShopItemPageDto>> {
    const view: ShopView = await this.queries.execute(new ShowShop({ reader: visit, itemId }));
    const [item] = view.rows.flatMap(({ items }) => items);
    if (item === undefined) throw notFound('item', itemId);
    const offered = view.offer(item);
    await this.noteView(visit, itemId);
    const { csrf } = visit.visitor;
    return shown(
      () => ({ csrf, item: toItemModel(offered) }),
      () => renderItemPage({ ...visit, ...view, offered, refusal: reason }),
    );
  }

  /** Says which items were shown: webhooks tell of it, and no answer waits for them. */
  @PostOk('views')
  @ChangesShop(CHANGE, 'CATALOG_UNAVAILABLE', 'TOO_MANY_REQUESTS')
  @ApiNoContentResponse()
  async views(@Body() body: ViewsBody, @Visit() visit: Visit): Promise<ShopAnswer<null>> {
    await this.commands.execute(
      new RecordViews({ reader: visit, itemIds: body.itemIds, source: visit.source }),
    );
    return NOTED;
  }

  /** Takes a free item, once for each `claimId`. */
  @PostOk('items/:itemId/claim')
  @ChangesShop(
    CHANGE_OF_ITEM,
    'CATALOG_UNAVAILABLE',
    'IDEMPOTENCY_KEY_REUSED',
    'ITEM_UNAVAILABLE',
    'QUANTITY_EXCEEDED',
    'TOO_MANY_REQUESTS',
  )
  @ApiOkResponse({ type: ClaimedItemDto })
  async claim(
    @Param('itemId') itemId: string,
    @Body() { claimId }: ClaimBody,
    @Visit() visit: Visit,
  ): Promise<ShopAnswer<ClaimedItemDto>> {
    await this.commands.execute(new ClaimItem({ form: { ...visit, formId: claimId }, itemId }));
    return changed({ claimId, itemId }, `/shop/items/${encodeURIComponent(itemId)}`);
  }

  private async noteView({ visitor, source }: Visit, itemId: string): Promise<void> {
    if (!this.limits.take(visitor.player)) return;
    const viewed = { type: 'activity.item_page_viewed.v1', data: { itemId } } as const;
    await this.activities.record(visitor, [viewed], source);
  }
}
