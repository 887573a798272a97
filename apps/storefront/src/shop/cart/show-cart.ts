import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { countCart } from '#domain/cart';
import { CommandContexts, queryWith } from '#nest';
import { choosePageBrand, type PageBrand } from '../../brand/page-brand.js';
import { listImageSources } from '../catalog/image-sources.js';
import { PlayerCatalogs, type CatalogReader } from '../catalog/player-catalogs.js';
import type { Visitor } from '../session/visitor.js';
import { CartViews, type CartView } from './cart-views.js';
import { OpenCarts } from './open-carts.js';
import type { StateLoader } from '../player-states.js';

/** The data of a cart's page. */
export interface ShownCart {
  readonly view: CartView;
  readonly cartQuantity: number;
  readonly brand: PageBrand;
  readonly imagesFrom: readonly string[];
}

/** A player's cart beside the catalog. */
export class ShowCart extends queryWith<
  {
    reader: CatalogReader & { visitor: Visitor };
    /** States stored as of the request; by default, as of now. */
    states?: StateLoader | undefined;
  },
  ShownCart
>() {}

@QueryHandler(ShowCart)
export class ShowCartHandler implements IQueryHandler<ShowCart> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly carts: OpenCarts,
    private readonly catalogs: PlayerCatalogs,
    private readonly views: CartViews,
  ) {}

  /** @throws ApiError 14 without a catalog. */
  async execute({ reader, states }: ShowCart): Promise<ShownCart> {
    const { visitor } = reader;
    const app = await this.contexts.requireApp(visitor.appId);
    const [found, catalog] = await Promise.all([
      this.carts.find(visitor.player, states),
      this.catalogs.read(reader),
    ]);
    return {
      view: await this.views.build(found, catalog, visitor),
      cartQuantity: countCart(found.cart),
      brand: choosePageBrand(app),
      imagesFrom: listImageSources(app),
    };
  }
}
