import type { Instant } from '../event/index.js';
import { addUp, isPositive } from '../money/index.js';
import { type ItemOrigin, orderLines, type PaymentLine } from '../payment/index.js';
import { type TaxedCharge, taxedCharge, type TaxRates } from '../pricing/index.js';

/** So many pieces of something, as the player was shown them when the order was made. */
export interface OrderItem extends ItemOrigin {
  readonly name: string;
  readonly description: string;
  /** The address of a picture; empty where there is none. */
  readonly image: string;
}

/** The amount of an order in the player's region. */
export interface OrderQuote extends TaxedCharge {
  /** Whose tax rates apply: `DE`, `US-NY`; empty where nothing is known. */
  readonly regionCode: string;
}

/** The most items in one order (rules/orders 1). */
export const MAX_ORDER_ITEMS = 100;
/** The most pieces of an order that costs nothing: each is a message of its own (rules/orders 4). */
export const MAX_FREE_PIECES = 100;

/**
 * The price of items (rules/payments 8): an inclusive tax is contained in their prices, an exclusive one is added. The
 * tax is that of the whole, so that it is rounded once.
 */
export function quoteOrder(
  items: readonly Pick<OrderItem, 'price' | 'quantity'>[],
  currency: string,
  { regionCode, taxRates, now }: { regionCode: string; taxRates: TaxRates; now: Instant },
): OrderQuote {
  const total = addUp(items, currency);
  return { ...taxedCharge(total, regionCode, taxRates, now), regionCode };
}

/** The lines of a charge for all items. */
export function explainQuote(quote: OrderQuote, items: readonly ItemOrigin[]): PaymentLine[] {
  const origins = items.map(({ itemId, quantity, price, classedBy }) => ({
    ...{ itemId, quantity, price },
    ...(classedBy !== undefined && { classedBy }),
  }));
  return orderLines(quote, origins);
}

/** Whether nothing is to be paid. */
export function isFree({ amount }: OrderQuote): boolean {
  return !isPositive(amount);
}

/** Of all items together. */
export function countPieces(items: readonly Pick<OrderItem, 'quantity'>[]): number {
  return items.reduce((sum, { quantity }) => sum + quantity, 0);
}
