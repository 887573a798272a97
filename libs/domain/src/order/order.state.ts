import type { AttemptSeries } from '../checkout-link/index.js';
import { unknownEvent } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { type Money, zero } from '../money/index.js';
import type { PaymentStatus } from '../payment/index.js';
import type {
  OrderAttempted,
  OrderCanceled,
  OrderChallenged,
  OrderClaimed,
  OrderCreated,
  OrderEvent,
  OrderPaymentDeclined,
  OrderStatus,
} from './order.events.js';
import type { OrderQuote } from './order.items.js';
import { countMessages } from './order.messages.js';
import { scheduleDueAt } from './order.schedule.js';

/** One attempt to pay, with the challenge of its bank, and its end if it has one. */
export interface OrderAttempt extends Readonly<OrderAttempted['data']> {
  readonly challenge: OrderChallenged['data'] | null;
  readonly decline: OrderPaymentDeclined['data'] | null;
  readonly capturedAt: Instant | null;
}

/** The part of an order that changes. */
export interface OrderProgress {
  readonly status: OrderStatus;
  readonly openedAt: Instant | null;
  /** The amount, as of the last click. */
  readonly quote: OrderQuote;
  readonly emailMarketingOptIn: boolean;
  /** In their order; few, since a link is locked after some (rules/payments 2). */
  readonly attempts: readonly OrderAttempt[];
  /** The one payment that the order keeps; null until it is captured, and where nothing was to be paid. */
  readonly paidBy: string | null;
  readonly paidAt: Instant | null;
  readonly canceled: OrderCanceled['data'] | null;
  /** Of an order that costs nothing, once it was taken. */
  readonly claimed: OrderClaimed['data'] | null;
  readonly expiredAt: Instant | null;
  readonly totalRefunded: Money;
  /** Payments that were captured too late: they go back, once no dispute is to decide. */
  readonly lateCaptures: readonly string[];
  /** How many messages the events so far gave rise to: the number of the last one. */
  readonly messageCount: number;
}

/** An order as its events tell it. */
export type CreatedOrder = OrderCreated['data'] & OrderProgress;
export type Order = { readonly status: 'none' } | CreatedOrder;

export const noOrder: Order = { status: 'none' };

/** Folds one event; total. */
export function evolveOrder(state: Order, event: OrderEvent): Order {
  if (state.status !== 'none') {
    const after = { ...state, ...changes(state, event) };
    return { ...after, messageCount: state.messageCount + countMessages(event, after) };
  }
  if (event.type !== 'order.created.v1') return state;
  const begun = beginOrder(event.data);
  return { ...begun, messageCount: countMessages(event, begun) };
}

/** Field by field: V8 takes a hundred times as long to add fields to a copy of many. */
function beginOrder(data: OrderCreated['data']): CreatedOrder {
  const { orderId, appId, player, source, transactionId, cartId, checkoutLinkId, items } = data;
  const { quote, regionCode, language, returnUrl, personal } = data;
  const { createdAt, expiresAt, wallExpiresAt } = data;
  return {
    orderId,
    appId,
    player,
    source,
    transactionId,
    cartId,
    checkoutLinkId,
    items,
    quote,
    regionCode,
    language,
    returnUrl,
    personal,
    createdAt,
    expiresAt,
    wallExpiresAt,
    status: 'OPEN',
    openedAt: null,
    emailMarketingOptIn: false,
    attempts: [],
    paidBy: null,
    paidAt: null,
    canceled: null,
    claimed: null,
    expiredAt: null,
    totalRefunded: zero(quote.amount.currency),
    lateCaptures: [],
    messageCount: 0,
  };
}

/** The attempt that counts: a later one takes the place of one that was not answered. */
export function lastOrderAttempt({ attempts }: CreatedOrder): OrderAttempt | undefined {
  return attempts.at(-1);
}

/** Whether the attempt that counts has no outcome yet. */
export function isAttempting(order: CreatedOrder): boolean {
  const last = lastOrderAttempt(order);
  return order.status === 'OPEN' && last !== undefined && hasNoOutcome(last);
}

/** Attempts without an outcome, those that were replaced among them: the oldest first. */
export function openAttempts({ attempts }: CreatedOrder): readonly OrderAttempt[] {
  return attempts.filter(hasNoOutcome);
}

/** The same order as the limits of attempts see it (rules/payments 2). */
export function attemptSeries(order: CreatedOrder): AttemptSeries {
  const open = isAttempting(order) ? 'attempting' : 'open';
  const { attempts, paidBy } = order;
  return {
    ...{ attempts, paidBy, change: null },
    status: order.status === 'OPEN' ? open : 'completed',
  };
}

/**
 * Where the player confirms the charge of the attempt that counts; undefined where the bank does not want that, or
 * where the attempt has its outcome (rules/payments 19).
 */
export function findOrderChallenge(
  order: CreatedOrder,
): { readonly appId: string; readonly paymentId: string; readonly sealedUrl: string } | undefined {
  const { challenge = null, paymentId = '' } = lastOrderAttempt(order) ?? {};
  if (challenge === null || !isAttempting(order)) return undefined;
  return { appId: order.appId, paymentId, sealedUrl: challenge.sealedUrl };
}

/** When something will have to happen by itself (rules/orders 5); null for nothing. */
export function orderDueAt(order: Order): Instant | null {
  if (order.status === 'none') return null;
  const { status, expiresAt, attempts } = order;
  const lastAttempt = lastOrderAttempt(order)?.attempt ?? 0;
  const open = attempts.filter(hasNoOutcome);
  return scheduleDueAt({ isOpen: status === 'OPEN', expiresAt, openAttempts: open, lastAttempt });
}

function hasNoOutcome({ decline, capturedAt }: OrderAttempt): boolean {
  return decline === null && capturedAt === null;
}

/** The fields that an event changes. */
function changes(state: CreatedOrder, event: OrderEvent): Partial<OrderProgress> {
  switch (event.type) {
    case 'order.created.v1':
    case 'order.item_redeemed.v1':
      return {};
    case 'order.checkout_opened.v1':
      return { openedAt: event.data.openedAt };
    case 'order.attempted.v1': {
      const { quote, emailMarketingOptIn } = event.data;
      const attempt = { ...event.data, challenge: null, decline: null, capturedAt: null };
      return { quote, emailMarketingOptIn, attempts: [...state.attempts, attempt] };
    }
    case 'order.challenged.v1':
      return changeAttempt(state, event.data.attempt, { challenge: event.data });
    case 'order.payment_declined.v1':
      return changeAttempt(state, event.data.attempt, { decline: event.data });
    case 'order.paid.v1': {
      const { attempt, paymentId: paidBy, paidAt } = event.data;
      const captured = changeAttempt(state, attempt, { capturedAt: paidAt });
      return { ...captured, status: 'PAID', paidBy, paidAt };
    }
    case 'order.claimed.v1': {
      const { quote, emailMarketingOptIn, claimedAt: paidAt } = event.data;
      return { status: 'PAID', quote, emailMarketingOptIn, paidAt, claimed: event.data };
    }
    case 'order.canceled.v1':
      return { status: 'CANCELED', canceled: event.data };
    case 'order.expired.v1':
      return { status: 'FAILED', expiredAt: event.data.expiredAt };
    case 'order.late_outcome_recorded.v1':
    case 'order.refund_recorded.v1':
    case 'order.dispute_recorded.v1':
      return recorded(state, event);
    default:
      return unknownEvent({}, event);
  }
}

/** The fate of a captured payment; a late capture does not change the order's status for others. */
function recorded(
  state: CreatedOrder,
  event: Extract<
    OrderEvent,
    {
      type:
        'order.late_outcome_recorded.v1' | 'order.refund_recorded.v1' | 'order.dispute_recorded.v1';
    }
  >,
): Partial<OrderProgress> {
  const { paymentId } = event.data;
  if (event.type === 'order.late_outcome_recorded.v1') {
    const { attempts } = state;
    const late = attempts.find((one) => one.paymentId === paymentId);
    const { recordedAt: capturedAt } = event.data;
    return {
      ...(late !== undefined && changeAttempt(state, late.attempt, { capturedAt })),
      lateCaptures: [...state.lateCaptures, paymentId],
    };
  }
  if (state.paidBy !== paymentId) return {};
  const { paymentStatus, totalRefunded } = event.data;
  return { status: statusBy(paymentStatus), totalRefunded };
}

/** Whether the order has noted an event of its payment: refunds, and disputes with their ends. */
export function hasNoted(
  { status, totalRefunded }: Pick<OrderProgress, 'status' | 'totalRefunded'>,
  payment: { readonly status: PaymentStatus; readonly totalRefunded: Money },
): boolean {
  return (
    status === statusBy(payment.status) &&
    totalRefunded.amountMinor === payment.totalRefunded.amountMinor
  );
}

/** The status of a paid order, by its payment. */
function statusBy(paymentStatus: PaymentStatus): OrderStatus {
  switch (paymentStatus) {
    case 'PARTIALLY_REFUNDED':
    case 'REFUNDED':
    case 'DISPUTED':
      return paymentStatus;
    case 'PENDING':
    case 'SUCCEEDED':
    case 'FAILED':
      return 'PAID';
  }
}

function changeAttempt(
  state: CreatedOrder,
  attempt: number,
  change: Partial<Pick<OrderAttempt, 'challenge' | 'decline' | 'capturedAt'>>,
): Pick<OrderProgress, 'attempts'> {
  const attempts = state.attempts.map((one) =>
    one.attempt === attempt ? { ...one, ...change } : one,
  );
  return { attempts };
}
