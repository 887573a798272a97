import { toMajor } from '#domain/money';
import type { ShopItemDto } from './shop.dto.js';
import type { OfferedItem } from './show-shop.js';

/** An item as programs get it. */
export function toItemModel({ item, left, isClaimed }: OfferedItem): ShopItemDto {
  const { id, name, description, image, price, maxPurchasable, expiresAt } = item;
  return {
    ...{ id, name, description, image },
    price: { currency: price.currency, amount: toMajor(price) },
    maxPurchasable: maxPurchasable === null ? null : left,
    ...{ expiresAt, claimed: isClaimed },
  };
}
