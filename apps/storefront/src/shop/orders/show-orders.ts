import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { countCart } from '#domain/cart';
import { type CreatedOrder, orderAggregate } from '#domain/order';
import { CommandContexts, Ledger } from '#nest';
import { choosePageBrand, type PageBrand } from '../../brand/page-brand.js';
import { OpenCarts } from '../cart/open-carts.js';
import { listImageSources } from '../catalog/image-sources.js';
import type { Visitor } from '../session/visitor.js';

/** What the page of a player's orders is about. */
export interface ShownOrders {
  /** The newest first. */
  readonly orders: readonly CreatedOrder[];
  readonly cartQuantity: number;
  readonly brand: PageBrand;
  readonly imagesFrom: readonly string[];
}

/** The orders that a player has made in the shop (rules/webshop 9). */
export class ShowOrders extends Query<ShownOrders> {
  constructor(readonly visitor: Visitor) {
    super();
  }
}

@QueryHandler(ShowOrders)
export class ShowOrdersHandler implements IQueryHandler<ShowOrders> {
  constructor(
    private readonly ledger: Ledger,
    private readonly contexts: CommandContexts,
    private readonly carts: OpenCarts,
  ) {}

  /** As they stand in their own streams: no read model is behind. @throws Fault of the store. */
  async execute({ visitor }: ShowOrders): Promise<ShownOrders> {
    const app = await this.contexts.requireApp(visitor.appId);
    const { shop, cart } = await this.carts.find(visitor.player);
    const loaded = await Promise.all(
      shop.orders.map(({ orderId }) => this.ledger.load(orderAggregate, orderId)),
    );
    // One that was begun, and not made since, is none.
    const orders = loaded.flatMap(({ state }) => (state.status === 'none' ? [] : [state]));
    const imagesFrom = listImageSources(app);
    return { orders, cartQuantity: countCart(cart), brand: choosePageBrand(app), imagesFrom };
  }
}
