import { Inject } from '@nestjs/common';
import { type IQueryHandler, QueryHandler } from '@nestjs/cqrs';
import { countCart } from '#domain/cart';
import type { CatalogItem, CatalogRow } from '#domain/catalog';
import type { CampaignProgress } from '#domain/loyalty';
import { APP_DIRECTORY, CommandContexts, queryWith } from '#nest';
import { choosePageBrand, type PageBrand } from '../../brand/page-brand.js';
import type { AppDirectory } from '#tenancy';
import { OpenCarts } from '../cart/open-carts.js';
import { trackLoyalty } from '../loyalty/player-loyalty.js';
import type { Visitor } from '../session/visitor.js';
import { listImageSources } from '../catalog/image-sources.js';
import { ItemCounts } from '../catalog/item-counts.js';
import { PlayerCatalogs, type CatalogReader } from '../catalog/player-catalogs.js';
import type { StateLoader } from '../player-states.js';

/** An item with the player's possible actions. */
export interface OfferedItem {
  readonly item: CatalogItem;
  /** How many the player may still have. */
  readonly left: number;
  readonly isClaimed: boolean;
}

/** The data of the shop's page. */
export interface ShopView {
  /** The items that are for sale now. */
  readonly rows: readonly CatalogRow[];
  /** The player's possible actions with an item. */
  readonly offer: (item: CatalogItem) => OfferedItem;
  /** Of the shop as a whole: how far the player has come. */
  readonly loyalty: readonly CampaignProgress[];
  /** How many pieces lie in the cart. */
  readonly cartQuantity: number;
  /** Of whom the shop is. */
  readonly brand: PageBrand;
  /** The sources of pictures beside https. */
  readonly imagesFrom: readonly string[];
}

/** The shop of a player, or one item of it. */
export class ShowShop extends queryWith<
  {
    reader: CatalogReader & { visitor: Visitor; states: StateLoader };
    /** One item alone, where it is named; no row where the catalog does not have it. */
    itemId?: string | undefined;
  },
  ShopView
>() {}

@QueryHandler(ShowShop)
export class ShowShopHandler implements IQueryHandler<ShowShop> {
  constructor(
    private readonly contexts: CommandContexts,
    private readonly carts: OpenCarts,
    private readonly counts: ItemCounts,
    private readonly catalogs: PlayerCatalogs,
    @Inject(APP_DIRECTORY) private readonly apps: AppDirectory,
  ) {}

  /** @throws ApiError 14 without a catalog. */
  async execute({ reader, itemId }: ShowShop): Promise<ShopView> {
    const { visitor, states } = reader;
    const app = await this.contexts.requireApp(visitor.appId);
    const [{ shop, cart }, rows, now] = await Promise.all([
      this.carts.find(visitor.player, states),
      this.catalogs.readRows(reader),
      this.apps.now(app),
    ]);
    const [limits, loyalty] = await Promise.all([
      this.counts.count(visitor.player, shop, now),
      itemId === undefined ? trackLoyalty(visitor, states, now) : [],
    ]);
    const offer = (item: CatalogItem) => {
      const [left, isClaimed] = [limits.left(item), limits.isClaimed(item)];
      return { item, left, isClaimed };
    };
    return {
      rows: itemId === undefined ? rows : findRow(rows, itemId),
      offer,
      loyalty,
      cartQuantity: countCart(cart),
      brand: choosePageBrand(app),
      imagesFrom: listImageSources(app),
    };
  }
}

/** A row of one item; none where none of the rows has it. */
function findRow(rows: readonly CatalogRow[], itemId: string): readonly CatalogRow[] {
  const item = rows.flatMap(({ items }) => items).find(({ id }) => id === itemId);
  return item === undefined ? [] : [{ header: null, items: [item] }];
}
