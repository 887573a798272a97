import type { Environment } from '#domain/event';
import { add, type Money, readMajor, times, zero } from '#domain/money';
import { countPieces, MAX_FREE_PIECES, type OrderItem } from '#domain/order';
import { checkTarget } from '#egress';
import type { FieldViolation } from '#nest';
import { metadataViolations } from '../checkout-links/link-rules.js';
import type { CreatePaymentLinkBody, OrderItemBody } from './order.dto.js';

/** Of minor units: what a payment can come to (rules/api 9). */
const MAX_AMOUNT_DIGITS = 15;
/** An order is one event, and each of its webhooks holds its items. */
const MAX_ITEMS_CHARACTERS = 100_000;

/**
 * The items of an order, and all that is wrong with what depends on several fields: prices with the currency's
 * decimals, pictures, metadata, the total (rules/orders 1).
 */
export function readItems(
  { items, currency, metadata = {} }: CreatePaymentLinkBody,
  environment: Environment,
): { readonly items: readonly OrderItem[]; readonly violations: readonly FieldViolation[] } {
  const violations = metadataViolations(metadata);
  const read = items.map((item, index): OrderItem => {
    const price = readMajor(item.price, currency);
    violations.push(...itemViolations(item, `items.${index}`, { price, currency, environment }));
    const { id: itemId, name, description = '', image = '', quantity } = item;
    return { itemId, name, description, image, quantity, price: price ?? zero(currency) };
  });
  if (violations.length === 0) violations.push(...totalViolations(items, read, currency));
  return { items: read, violations };
}

function itemViolations(
  { image, metadata = {} }: OrderItemBody,
  field: string,
  read: { price: Money | undefined; currency: string; environment: Environment },
): FieldViolation[] {
  const { price, currency, environment } = read;
  const violations = metadataViolations(metadata, `${field}.metadata`);
  if (price === undefined) {
    const description = `must be a decimal string such as "${exampleIn(currency)}", with no more decimals than ${currency} has`;
    violations.push({ field: `${field}.price`, description });
  }
  const target =
    image === undefined ? undefined : checkTarget(image, { allowInsecure: environment === 'test' });
  if (target !== undefined && !target.ok) {
    violations.push({ field: `${field}.image`, description: target.reason });
  }
  return violations;
}

/** What is wrong with the items as a whole. */
function totalViolations(
  sent: readonly OrderItemBody[],
  items: readonly OrderItem[],
  currency: string,
): FieldViolation[] {
  const total = items
    .map(({ price, quantity }) => times(price, quantity))
    .reduce(add, zero(currency));
  const isFree = total.amountMinor === '0';
  const description =
    total.amountMinor.length > MAX_AMOUNT_DIGITS
      ? `must come to an amount of at most ${MAX_AMOUNT_DIGITS} digits of minor units`
      : isFree && countPieces(items) > MAX_FREE_PIECES
        ? `must hold at most ${MAX_FREE_PIECES} pieces where they cost nothing`
        : JSON.stringify(sent).length > MAX_ITEMS_CHARACTERS
          ? `must have at most ${MAX_ITEMS_CHARACTERS} characters as JSON`
          : undefined;
  return description === undefined ? [] : [{ field: 'items', description }];
}

function exampleIn(currency: string): string {
  const { amountMinor } = readMajor('1', currency) ?? zero(currency);
  const decimals = amountMinor.length - 1;
  return decimals === 0 ? '980' : `4.${'9'.repeat(decimals)}`;
}
