import { CommandHandler, type ICommandHandler } from '@nestjs/cqrs';
import { cartAggregate } from '#domain/cart';
import { commandWith, Ledger } from '#nest';
import { CartViews, type CartView } from '../cart/cart-views.js';
import { type FoundCart, OpenCarts } from '../cart/open-carts.js';
import { chooseCatalogLanguage, indexItems, PlayerCatalogs } from '../catalog/player-catalogs.js';
import { type ShopForm, ShopForms, type VisitorContext, withoutKey } from '../http/shop-forms.js';
import { cartChanged, cartEmpty } from '../http/shop-refusals.js';
import { type MadeOrder, ShopOrders, toOrderItem } from './shop-orders.js';

/** A player checks out (rules/webshop 4). */
export class CheckOutCart extends commandWith<{ form: ShopForm }, MadeOrder>() {}

@CommandHandler(CheckOutCart)
export class CheckOutCartHandler implements ICommandHandler<CheckOutCart> {
  constructor(
    private readonly ledger: Ledger,
    private readonly forms: ShopForms,
    private readonly carts: OpenCarts,
    private readonly catalogs: PlayerCatalogs,
    private readonly views: CartViews,
    private readonly orders: ShopOrders,
  ) {}

  /** @throws ApiError 9 CART_CHANGED for changes in the catalog, CART_EMPTY; 14 without a catalog. */
  async execute({ form }: CheckOutCart): Promise<MadeOrder> {
    const { visitor } = form;
    const context = await this.forms.accept(form, ['checkout']);
    const made = await this.orders.findMade(context);
    if (made !== undefined) return made;
    const found = await this.carts.find(visitor.player);
    await this.requireUnrefused(found, context);
    if (found.cart.items.length === 0) throw cartEmpty();
    const open = await this.carts.require(withoutKey(context), found);
    const catalog = await this.catalogs.read(form, true);
    const view = await this.views.build({ ...found, open }, catalog, visitor);
    const payable = view.lines.filter(({ isPayable }) => isPayable);
    if (!view.isAgreed || payable.length === 0) throw await this.refuse(view, context);
    const offered = indexItems(catalog);
    const items = payable.flatMap(({ itemId, quantity }) => {
      const item = offered.get(itemId);
      return item === undefined ? [] : [toOrderItem(item, quantity)];
    });
    const catalogLanguage = chooseCatalogLanguage(form);
    return this.orders.makeOfCart(context, {
      visitor,
      catalogLanguage,
      cartId: open.cartId,
      items,
    });
  }

  /** The next checkout takes the cart that the player is shown now; the same form, sent again, is no next one. */
  private async refuse({ cartId, problems }: CartView, context: VisitorContext): Promise<Error> {
    const command = { kind: 'ShowProblems', items: problems, now: context.now } as const;
    await this.ledger.execute(cartAggregate, cartId, command, context);
    return cartChanged(problems);
  }

  private async requireUnrefused(found: FoundCart, context: VisitorContext): Promise<void> {
    const answers = await this.carts.findAnswers(found, context);
    for (const event of answers.flatMap(({ events }) => events)) {
      if (event.type === 'cart.problems_shown.v1') throw cartChanged(event.data.items);
    }
  }
}
