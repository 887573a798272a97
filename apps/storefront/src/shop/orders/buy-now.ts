import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { isPositive } from '#domain/money';
import { shopAggregate } from '#domain/shop';
import { commandWith, Ledger } from '#nest';
import { ItemCounts } from '../catalog/item-counts.js';
import { chooseCatalogLanguage, PlayerCatalogs } from '../catalog/player-catalogs.js';
import { type ShopForm, ShopForms } from '../http/shop-forms.js';
import { itemUnavailable, quantityExceeded } from '../http/shop-refusals.js';
import { type MadeOrder, ShopOrders, toOrderItem } from './shop-orders.js';

/** A player buys a single item, beside the cart (rules/webshop 4). */
export class BuyNow extends commandWith<
  { form: ShopForm; itemId: string; quantity: number },
  MadeOrder
>() {}

@CommandHandler(BuyNow)
export class BuyNowHandler implements ICommandHandler<BuyNow> {
  constructor(
    private readonly ledger: Ledger,
    private readonly forms: ShopForms,
    private readonly counts: ItemCounts,
    private readonly catalogs: PlayerCatalogs,
    private readonly orders: ShopOrders,
  ) {}

  /** @throws ApiError 9 for an item that cannot be bought, or not so many; 14 without a catalog. */
  async execute({ form, itemId, quantity }: BuyNow): Promise<MadeOrder> {
    const { visitor } = form;
    const context = await this.forms.accept(form, ['buy', itemId, quantity]);
    const made = await this.orders.findMade(context);
    if (made !== undefined) return made;
    const item = await this.catalogs.requireItem(form, itemId, true);
    // A free item is claimed.
    if (!isPositive(item.price)) throw itemUnavailable(itemId);
    const { state: shop } = await this.ledger.load(shopAggregate, visitor.player);
    const { left } = await this.counts.count(visitor.player, shop, context.now);
    if (quantity > left(item)) throw quantityExceeded(itemId);
    const items = [toOrderItem(item, quantity)];
    const catalogLanguage = chooseCatalogLanguage(form);
    return this.orders.makeSingle(context, { visitor, catalogLanguage, items });
  }
}
