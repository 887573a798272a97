import { toMajor, zero } from '#domain/money';
import {
  type CreatedOrder,
  lastOrderAttempt,
  type OrderItem,
  type OrderQuote,
} from '#domain/order';
import type { OpenedPersonalData } from '#domain/personal-data';

/** An item of an order as REST and webhooks show it: the price is for one piece (rules/orders 3). */
interface WireItem {
  readonly id: string;
  readonly quantity: number;
  readonly price: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** An order as the studio's backend sees it (rules/orders 3). */
export interface WireOrder {
  readonly orderId: string;
  readonly transactionId: string;
  readonly source: string;
  readonly status: string;
  readonly paymentId: string;
  readonly checkoutLinkId: string;
  readonly userId: string;
  /** Empty where the studio gave none. */
  readonly userEmail: string;
  readonly items: readonly (WireItem & { readonly name: string })[];
  readonly currency: string;
  readonly tax: string;
  readonly total: string;
  readonly createdAt: string;
}

/** Renders an order; `paymentId` is of the payment that it keeps, or of the last attempt. */
export function renderOrder(order: CreatedOrder, opened: OpenedPersonalData): WireOrder {
  const { orderId, source, status, checkoutLinkId, items, quote, paidBy, createdAt } = order;
  const { currency } = quote.amount;
  return {
    orderId,
    transactionId: findTransactionId(order),
    source,
    status,
    paymentId: paidBy ?? lastOrderAttempt(order)?.paymentId ?? '',
    checkoutLinkId,
    userId: opened.accountId,
    userEmail: opened.email ?? '',
    items: renderOrderItems(items, opened).map(({ id, ...others }, index) => ({
      ...{ id, name: items[index]?.name ?? '', ...others },
    })),
    currency,
    ...renderTotals(quote),
    createdAt,
  };
}

/** The studio's own id of an order; orders of the shop have no other id than their own. */
export function findTransactionId({
  source,
  transactionId,
  orderId,
}: Pick<CreatedOrder, 'source' | 'transactionId' | 'orderId'>): string {
  if (source !== 'ServicePay') return '';
  return transactionId || orderId;
}

export function renderOrderItems(
  items: readonly OrderItem[],
  { itemMetadata = [] }: Pick<OpenedPersonalData, 'itemMetadata'>,
): WireItem[] {
  return items.map(({ itemId, quantity, price }, index) => ({
    ...{ id: itemId, quantity, price: toMajor(price), metadata: itemMetadata[index] ?? {} },
  }));
}

/** The whole amount and the tax in it, in major units; nothing where no rate is set. */
export function renderTotals({ amount, tax }: OrderQuote): { tax: string; total: string } {
  return { tax: toMajor(tax?.amount ?? zero(amount.currency)), total: toMajor(amount) };
}
