import { toMajor } from '#domain/money';
import type { CartDto } from './cart.dto.js';
import { type CartView, addUpLine } from './cart-views.js';

/** A cart as programs get it. */
export function toCartModel({ cartId, lines, totals }: CartView, csrf: string): CartDto {
  return {
    csrf,
    cartId,
    items: lines.map((line) => ({
      ...{ id: line.itemId, name: line.name, quantity: line.quantity },
      ...{ price: toMajor(line.price), total: toMajor(addUpLine(line)) },
      problem: line.problems[0] ?? null,
    })),
    currency: totals?.total.currency ?? '',
    subtotal: totals === null ? NOTHING : toMajor(totals.subtotal),
    tax: totals === null ? NOTHING : toMajor(totals.tax),
    total: totals === null ? NOTHING : toMajor(totals.total),
  };
}

/** Of a cart without a currency. */
const NOTHING = '0.00';
