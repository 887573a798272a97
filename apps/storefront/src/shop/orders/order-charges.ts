import { Inject, Injectable } from '@nestjs/common';
import type { CreatedOrder } from '#domain/order';
import { findCatalogLanguage, type LimitedCount, shopAggregate } from '#domain/shop';
import { ApiError, type CommandContext, Ledger, OrderPlacement } from '#nest';
import type { PersonalData } from '#tenancy';
import { PERSONAL_DATA } from '../../tokens.js';
import { ItemCounts } from '../catalog/item-counts.js';
import { PlayerCatalogs } from '../catalog/player-catalogs.js';
import { itemUnavailable } from '../http/shop-refusals.js';

/**
 * The language in which the catalog is asked for where neither the link into the shop nor the checkout names another.
 */
const DEFAULT_LANGUAGE = 'en';

/** Counts the items of a shop's order, before its payment begins (rules/webshop 5). */
@Injectable()
export class OrderCharges {
  constructor(
    private readonly ledger: Ledger,
    private readonly catalogs: PlayerCatalogs,
    private readonly counts: ItemCounts,
    @Inject(OrderPlacement) private readonly placement: Pick<OrderPlacement, 'replace'>,
    @Inject(PERSONAL_DATA) private readonly personalData: Pick<PersonalData, 'accountId'>,
  ) {}

  /**
   * Payments in two windows at once are decided in the player's own stream, one after the other.
   *
   * @param context without a key, which the attempt has that follows. @throws ApiError 9 QUANTITY_EXCEEDED,
   *   ORDER_CANCELED where a later checkout of the cart took its place, and ITEM_UNAVAILABLE for an item that the
   *   catalog has no more; 14 without a catalog; Fault of the store.
   */
  async request(order: CreatedOrder, context: CommandContext): Promise<void> {
    const { orderId, player } = order;
    const cartId = order.cartId === '' ? null : order.cartId;
    const items = await this.#limit(order);
    const { state: shop } = await this.ledger.load(shopAggregate, player);
    const { counted } = await this.counts.count(player, shop, context.now);
    const command = { kind: 'RequestCharge', orderId, cartId, items, ...counted } as const;
    const charging = { ...context, player };
    try {
      await this.ledger.execute(shopAggregate, player, command, charging);
    } catch (error) {
      // It cannot be paid any more, and would be shown as if it could: a crash has kept it from being ended.
      const isReplaced = error instanceof ApiError && error.reason === 'ORDER_CANCELED';
      if (isReplaced) await this.placement.replace(orderId, context);
      throw error;
    }
  }

  async #limit(order: CreatedOrder): Promise<readonly LimitedCount[]> {
    const { appId, language } = order;
    const [accountId, pageLanguage] = await Promise.all([
      this.personalData.accountId(order),
      this.#findPageLanguage(order),
    ]);
    const reader = { visitor: { appId, accountId, language }, pageLanguage };
    const offered = await this.catalogs.index(reader);
    return order.items.map(({ itemId, quantity }) => {
      const item = offered.get(itemId);
      if (item === undefined || this.catalogs.hasExpired(item)) throw itemUnavailable(itemId);
      return { itemId, quantity, maxPurchasable: item.maxPurchasable };
    });
  }

  /** That of the checkout, where the link into the shop named none (decision 0033). */
  async #findPageLanguage({ orderId, player, language }: CreatedOrder): Promise<string> {
    if (language !== '') return language;
    // Pieces are counted by a later state: the catalog may take seconds to answer.
    const { state: shop } = await this.ledger.load(shopAggregate, player);
    return findCatalogLanguage(shop, orderId) || DEFAULT_LANGUAGE;
  }
}
