import type { ShownItem } from '#domain/cart';
import { toMajor } from '#domain/money';
import { ApiError, rejected } from '#nest';

/** The catalog has no such item, or it is not for sale any more, or not so. */
export function itemUnavailable(itemId: string): ApiError {
  return new ApiError('FAILED_PRECONDITION', {
    reason: 'ITEM_UNAVAILABLE',
    message: 'The catalog has no such item, or it is no longer for sale.',
    metadata: { itemId },
  });
}

/** More than the player can buy or claim. */
export function quantityExceeded(itemId: string): ApiError {
  return new ApiError('FAILED_PRECONDITION', {
    reason: 'QUANTITY_EXCEEDED',
    message: 'That is more of the item than the player can buy.',
    metadata: { itemId },
  });
}

/** More than a payment can come to (rules/webshop 4). */
export function amountExceeded(): ApiError {
  return rejected({ code: 'cart/amount_exceeded' });
}

/** There is nothing in the cart that could be bought. */
export function cartEmpty(): ApiError {
  return new ApiError('FAILED_PRECONDITION', {
    reason: 'CART_EMPTY',
    message: 'The cart is empty.',
  });
}

/** The catalog says otherwise than the cart: a violation for each item (rules/webshop 4). */
export function cartChanged(problems: readonly ShownItem[]): ApiError {
  return new ApiError('FAILED_PRECONDITION', {
    reason: 'CART_CHANGED',
    message: 'The catalog has changed since. The next checkout takes the cart as it is shown now.',
    fieldViolations: describeItems(problems),
  });
}

function describeItems(problems: readonly ShownItem[]) {
  const items = new Map<string, string[]>();
  for (const shown of problems) {
    const descriptions = items.get(shown.itemId) ?? [];
    items.set(shown.itemId, [...descriptions, `${shown.problem}: ${explain(shown)}`]);
  }
  return Array.from(items, ([itemId, descriptions]) => ({
    ...{ field: `items.${itemId}`, description: descriptions.join('; ') },
  }));
}

function explain({ problem, price, quantity }: ShownItem): string {
  switch (problem) {
    case 'PRICE_CHANGED':
      return `it costs ${toMajor(price)} ${price.currency} now`;
    case 'EXPIRED':
      return 'the offer has expired';
    case 'QUANTITY':
      return `the player can buy ${quantity} of it`;
    case 'GONE':
      return 'it is no longer for sale';
  }
}
