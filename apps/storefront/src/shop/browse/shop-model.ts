import { toMajor } from '#domain/money';
import type { OfferedItem } from './show-shop.js';

/** An item as programs get it; amounts are decimal strings. */
export interface ItemModel {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly image: string;
  readonly price: { readonly currency: string; readonly amount: string };
  /** How many the player may still have; null where the catalog names no number (rules/webshop 5). */
  readonly maxPurchasable: number | null;
  readonly expiresAt: string | null;
  /** Of a free item: whether it cannot be claimed any more. */
  readonly claimed: boolean;
}

export function toItemModel({ item, left, isClaimed }: OfferedItem): ItemModel {
  const { id, name, description, image, price, maxPurchasable, expiresAt } = item;
  return {
    ...{ id, name, description, image },
    price: { currency: price.currency, amount: toMajor(price) },
    maxPurchasable: maxPurchasable === null ? null : left,
    ...{ expiresAt, claimed: isClaimed },
  };
}
