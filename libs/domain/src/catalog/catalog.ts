import type { Instant } from '../event/index.js';
import type { Money } from '../money/index.js';

/**
 * The items that a player can buy, as the studio's backend listed them and validation passed them (rules/catalog 3).
 */
export interface Catalog {
  readonly rows: readonly CatalogRow[];
}

export interface CatalogRow {
  /** The heading above the row's items. */
  readonly header: string | null;
  readonly items: readonly CatalogItem[];
}

export interface CatalogItem {
  /** No other item of the catalog has it. */
  readonly id: string;
  readonly name: string;
  readonly description: string;
  /** The address of a picture: https, or on the developer's own machine for a test app. */
  readonly image: string;
  /** The price of one piece; nothing, for a free item. */
  readonly price: Money;
  /** How many the player may still buy; null where there is no bound. */
  readonly maxPurchasable: number | null;
  /** From then on it is not for sale; null where it does not expire. On the wall clock. */
  readonly expiresAt: Instant | null;
}
