import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { countCart } from '#domain/cart';
import type { CreatedOrder } from '#domain/order';
import { CommandContexts, queryWith } from '#nest';
import { choosePageBrand, type PageBrand } from '../../brand/page-brand.js';
import { OpenCarts } from '../cart/open-carts.js';
import { listImageSources } from '../catalog/image-sources.js';
import type { Visitor } from '../session/visitor.js';
import { PlayerOrders } from './player-orders.js';
import type { StateLoader } from '../player-states.js';

/** The data of the page of a player's orders. */
export interface ShownOrders {
  /** The newest first. */
  readonly orders: readonly CreatedOrder[];
  readonly cartQuantity: number;
  readonly brand: PageBrand;
  readonly imagesFrom: readonly string[];
}

/** The orders of a player (rules/webshop 9). */
export class ShowOrders extends queryWith<
  { visitor: Visitor; states: StateLoader },
  ShownOrders
>() {}

@QueryHandler(ShowOrders)
export class ShowOrdersHandler implements IQueryHandler<ShowOrders> {
  constructor(
    private readonly orders: PlayerOrders,
    private readonly contexts: CommandContexts,
    private readonly carts: OpenCarts,
  ) {}

  /** @throws Fault of the store. */
  async execute({ visitor, states }: ShowOrders): Promise<ShownOrders> {
    const app = await this.contexts.requireApp(visitor.appId);
    const { shop, cart } = await this.carts.find(visitor.player, states);
    const orders = await this.orders.list(visitor, shop);
    const imagesFrom = listImageSources(app);
    return { orders, cartQuantity: countCart(cart), brand: choosePageBrand(app), imagesFrom };
  }
}
