import type { RecordedEvent } from '#domain/event';
import { toMajor } from '#domain/money';
import {
  type CreatedOrder,
  lastOrderAttempt,
  type OrderAttempt,
  type OrderQuote,
} from '#domain/order';
import type { OpenedPersonalData, PersonalOwner, PersonalTexts } from '#domain/personal-data';
import { findTransactionId, renderOrderItems, renderTotals } from '#representations';

/** The common part of the messages about purchases (rules/webhooks 14). */
type Fields = Readonly<Record<string, unknown>>;
type Open = (owner: PersonalOwner) => OpenedPersonalData;

/** The buyer and the purchase: a link of the studio goes by its own id, the shop by the order's. */
export function describePurchase(order: CreatedOrder, open: Open): Fields {
  const opened = open(order);
  const id =
    order.source === 'ServicePay'
      ? { transactionId: findTransactionId(order) }
      : { orderId: order.orderId };
  return {
    ...id,
    checkoutLinkId: order.checkoutLinkId,
    currency: order.quote.amount.currency,
    userId: opened.accountId,
    items: renderOrderItems(order.items, opened),
  };
}

/** The origin of the purchase: `ipAddress` is of the click. */
export function describeOrigin(
  order: CreatedOrder,
  open: Open,
  personal: Pick<PersonalTexts, 'ipAddress'> = lastOrderAttempt(order)?.personal ?? {},
): Fields {
  const { ipAddress = '' } = open({ ...order, personal });
  return { regionCode: cutToCountry(order.quote.regionCode), source: order.source, ipAddress };
}

/**
 * A region as v1 messages name it: CLDR's code of the country, which no part of a country is
 * (decision 0023).
 */
export function cutToCountry(regionCode: string): string {
  const [country = ''] = regionCode.split('-');
  return country;
}

/** The order as one of its attempts asked for it. */
export function asAttempted(order: CreatedOrder, attempt: OrderAttempt | undefined): CreatedOrder {
  return attempt === undefined ? order : { ...order, quote: attempt.quote };
}

export function findAttempt({ attempts }: CreatedOrder, number: number): OrderAttempt | undefined {
  return attempts.find(({ attempt }) => attempt === number);
}

export { renderTotals };

/** The taxes of a purchase: one rate, or none. */
export function describeTaxes({ tax, regionCode }: OrderQuote): Fields {
  if (tax === null) return { items: [] };
  const [country = '', state = ''] = regionCode.split('-');
  const { inclusive: isInclusive, amount, rate } = tax;
  const percentage = toPercentage(rate.rate);
  return {
    items: [{ label: TAX_LABEL, isInclusive, amount: toMajor(amount), percentage, country, state }],
  };
}

/** Rates have no names of their own. */
const TAX_LABEL = 'Tax';

/** "0.08125" as "8.125": digits are moved and never computed with. */
function toPercentage(rate: string): string {
  const [whole = '0', fraction = ''] = rate.split('.');
  const digits = fraction.padEnd(2, '0');
  const percents = `${whole}${digits.slice(0, 2)}`.replace(/^0+(?=\d)/, '');
  const rest = digits.slice(2).replace(/0+$/, '');
  return rest === '' ? percents : `${percents}.${rest}`;
}

export function readTimeMillis({ metadata }: RecordedEvent): number {
  return Date.parse(metadata.occurredAt);
}
