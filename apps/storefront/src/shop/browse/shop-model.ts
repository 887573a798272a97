import type { CatalogItem } from '#domain/catalog';
import { toMajor } from '#domain/money';

/** An item as programs get it; amounts are decimal strings. */
export interface ItemModel {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly image: string;
  readonly price: { readonly currency: string; readonly amount: string };
  readonly maxPurchasable: number | null;
  readonly expiresAt: string | null;
  /** Of a free item: whether it cannot be claimed any more. */
  readonly claimed: boolean;
}

export function toItemModel(item: CatalogItem, claimed: boolean): ItemModel {
  const { id, name, description, image, price, maxPurchasable, expiresAt } = item;
  return {
    ...{ id, name, description, image },
    price: { currency: price.currency, amount: toMajor(price) },
    ...{ maxPurchasable, expiresAt, claimed },
  };
}
