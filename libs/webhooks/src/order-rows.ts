import { type Money, toMajor } from '#domain/money';
import {
  type CreatedOrder,
  isOfPurchase,
  isPurchaseFailed,
  orderAggregate,
  type OrderEvent,
  tellsOfPayments,
} from '#domain/order';
import type { NotedPayment } from '#domain/payment';
import {
  asAttempted,
  describeOrigin,
  describePurchase,
  describeTaxes,
  findAttempt,
  renderTotals,
  readTimeMillis,
} from './order-fields.js';
import {
  defineRow,
  type PaymentType,
  renderNoted,
  type RowInput,
  type WebhookRow,
} from './webhook-row.js';
import type { WebhookType } from './webhook-types.js';

type DataOf<Type extends OrderEvent['type']> = Extract<OrderEvent, { type: Type }>['data'];

/**
 * The messages about orders (rules/webhooks 14). The order is the subject of them all, also of those about its
 * payments, which are sent for the studio's own links alone and come first.
 */
export const ORDER_ROWS: readonly WebhookRow[] = [
  intentRow('order.created.v1', (order) => !tellsOfPayments(order)),
  intentRow('order.checkout_opened.v1', tellsOfPayments),
  paymentRow('order.payment_declined.v1', 'payment.failed'),
  failedRow('order.payment_declined.v1', ({ reason }) => reason, isPurchaseFailed),
  paymentRow('order.paid.v1', 'payment.succeeded'),
  purchaseRow('order.paid.v1', 'PURCHASE_SUCCEEDED', renderSucceeded),
  failedRow('order.canceled.v1', () => 'canceled_by_player'),
  failedRow('order.expired.v1', () => 'expired'),
  purchaseRow('order.item_redeemed.v1', 'FREE_ITEM_REDEEMED', renderRedeemed),
  paymentRow('order.late_outcome_recorded.v1', 'payment.succeeded'),
  paymentRow('order.refund_recorded.v1', 'payment.refunded', ({ amount }) => amount !== null),
  refundedRow('order.refund_recorded.v1', (order, { paymentId, amount }) =>
    isOfPurchase(order, paymentId) ? amount : null,
  ),
  paymentRow('order.dispute_recorded.v1', 'dispute.opened', ({ closed }) => !closed),
  paymentRow('order.dispute_recorded.v1', 'dispute.closed', ({ closed }) => closed),
  refundedRow('order.dispute_recorded.v1', (_order, { taken = null }) => taken),
];

/** A message of the second family about a payment, as the order notes it. */
function paymentRow<Type extends Extract<OrderEvent, { data: NotedPayment }>['type']>(
  on: Type,
  type: PaymentType,
  isSent: (data: DataOf<Type>) => boolean = () => true,
): WebhookRow {
  const notes = (data: DataOf<Type>) => (isSent(data) ? data : null);
  return defineRow({
    on,
    family: 'v2',
    type,
    stream: orderAggregate,
    when: tellsOfPayments,
    // `DataOf` of the type is the data of the row's event; the compiler does not unfold it here.
    notes: notes as never,
    render: renderNoted(type),
  });
}

/** A message of the first family; PURCHASE_SUCCEEDED alone has its payload under a name of its own. */
function purchaseRow<Type extends OrderEvent['type']>(
  on: Type,
  type: WebhookType<'v1'>,
  render: (input: RowInput<DataOf<Type>, CreatedOrder>) => Readonly<Record<string, unknown>>,
  when: (order: CreatedOrder, data: DataOf<Type>) => boolean = () => true,
): WebhookRow {
  const container = type === 'PURCHASE_SUCCEEDED' ? 'purchaseSucceeded' : 'eventData';
  return defineRow({
    on,
    family: 'v1',
    type,
    stream: orderAggregate,
    when: (order, data) => when(order, data as unknown as DataOf<Type>),
    render: (input) => ({
      environment: input.event.metadata.environment,
      // It is given only events of the type that it names.
      [container]: render(input as unknown as RowInput<DataOf<Type>, CreatedOrder>),
    }),
  });
}

function intentRow(
  on: 'order.created.v1' | 'order.checkout_opened.v1',
  when: (order: CreatedOrder) => boolean,
): WebhookRow {
  const render = ({ state, open }: RowInput<unknown, CreatedOrder>) => {
    const { userId, items } = describePurchase(state, open);
    const { orderId, transactionId, cartId, source } = state;
    const ids = { orderId, ...(transactionId !== '' && { transactionId }) };
    return { ...ids, ...(source === 'Cart' && { cartId }), userId, items, source };
  };
  return purchaseRow(on, 'CREATE_PAYMENT_INTENT', render, when);
}

function failedRow<
  Type extends 'order.payment_declined.v1' | 'order.canceled.v1' | 'order.expired.v1',
>(
  on: Type,
  reasonIn: (data: DataOf<Type>) => string,
  when?: (order: CreatedOrder) => boolean,
): WebhookRow {
  const render = ({ event, state, open }: RowInput<DataOf<Type>, CreatedOrder>) => {
    const attempt = 'attempt' in event.data ? findAttempt(state, event.data.attempt) : undefined;
    const order = asAttempted(state, attempt);
    const clicked = 'personal' in event.data ? event.data.personal : attempt?.personal;
    return {
      ...describePurchase(order, open),
      ...renderTotals(order.quote),
      ...describeOrigin(order, open, clicked),
      reason: reasonIn(event.data),
    };
  };
  return purchaseRow(on, 'PURCHASE_FAILED', render, when);
}

function renderSucceeded({ event, state, open }: RowInput<DataOf<'order.paid.v1'>, CreatedOrder>) {
  const attempt = findAttempt(state, event.data.attempt);
  const order = asAttempted(state, attempt);
  return {
    timeMillis: readTimeMillis(event),
    ...describePurchase(order, open),
    ...renderTotals(order.quote),
    taxDetails: describeTaxes(order.quote),
    emailMarketingOptIn: attempt?.emailMarketingOptIn ?? order.emailMarketingOptIn,
    ...describeOrigin(order, open, attempt?.personal),
  };
}

function renderRedeemed({
  event,
  state,
  open,
}: RowInput<DataOf<'order.item_redeemed.v1'>, CreatedOrder>) {
  const { accountId: userId, itemMetadata = [] } = open(state);
  const { item } = event.data;
  const { ipAddress = '' } = open({ ...state, personal: state.claimed?.personal ?? {} });
  return {
    timeMillis: readTimeMillis(event),
    ...{ userId, itemId: state.items[item]?.itemId ?? '', ipAddress },
    metadata: itemMetadata[item] ?? {},
  };
}

/** The part of a purchase that was given back, or was lost in a dispute; `takenIn` is null where nothing was. */
function refundedRow<Type extends 'order.refund_recorded.v1' | 'order.dispute_recorded.v1'>(
  on: Type,
  takenIn: (order: CreatedOrder, data: DataOf<Type>) => Money | null,
): WebhookRow {
  const render = (input: RowInput<DataOf<Type>, CreatedOrder>) =>
    renderRefunded(input, takenIn(input.state, input.event.data));
  const when = (order: CreatedOrder, data: DataOf<Type>) => takenIn(order, data) !== null;
  return purchaseRow(on, 'PURCHASE_REFUNDED', render, when);
}

function renderRefunded(
  { event, state: order, open }: RowInput<{ readonly totalRefunded: Money }, CreatedOrder>,
  amount: Money | null,
) {
  const { totalRefunded } = event.data;
  const { total } = renderTotals(order.quote);
  const { regionCode, source } = describeOrigin(order, open);
  return {
    timeMillis: readTimeMillis(event),
    ...describePurchase(order, open),
    total,
    refundedAmount: toMajor(amount ?? totalRefunded),
    totalRefunded: toMajor(totalRefunded),
    isFullRefund: totalRefunded.amountMinor === order.quote.amount.amountMinor,
    regionCode,
    source,
  };
}
