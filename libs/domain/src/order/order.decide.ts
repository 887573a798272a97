import { laterInstant } from '../calendar/index.js';
import { canBeReplaced, isLocked, pauseLeftMs } from '../checkout-link/index.js';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { deriveOrderPaymentId } from '../ids/index.js';
import { isGreater, type Money } from '../money/index.js';
import type { PersonalTexts } from '../personal-data/index.js';
import type { CancelReason, OrderCreated, OrderEvent } from './order.events.js';
import { isFree, type OrderQuote } from './order.items.js';
import { tellsOfPayments } from './order.messages.js';
import { decideSettlement, type SettlementCommand } from './order.settlement.js';
import {
  attemptSeries,
  type CreatedOrder,
  evolveOrder,
  isAttempting,
  lastOrderAttempt,
  noOrder,
  type Order,
} from './order.state.js';

/** A click of the player on the page of an order. */
interface Click {
  /** The present amount of the order in the player's region. */
  readonly quote: OrderQuote;
  readonly emailMarketingOptIn: boolean;
  readonly personal: Pick<PersonalTexts, 'ipAddress'>;
  /** Whether the player was erased since the order was made (rules/storage 16). */
  readonly playerIsErased: boolean;
  readonly now: Instant;
  /** Pauses and the wait for an answer keep to the wall clock (rules/payments 2). */
  readonly wallNow: Instant;
}

export type OrderCommand =
  | { readonly kind: 'CreateOrder'; readonly order: OrderCreated['data'] }
  | { readonly kind: 'OpenCheckout'; readonly now: Instant }
  | (Click & {
      readonly kind: 'AttemptOrder';
      readonly paymentMethod: string;
      /** The amount that the page showed; null where the caller does not say. */
      readonly shown: Money | null;
    })
  /** Takes an order that costs nothing. */
  | (Click & { readonly kind: 'ClaimOrder' })
  | {
      readonly kind: 'CancelOrder';
      readonly reason: CancelReason;
      readonly personal: Pick<PersonalTexts, 'ipAddress'>;
      readonly now: Instant;
      readonly wallNow: Instant;
    }
  /** The step that is due by now: the order has run out. */
  | { readonly kind: 'ProcessOrderDueDate'; readonly now: Instant }
  | SettlementCommand;

export interface OrderRejection extends AnyRejection {
  readonly code:
    | 'checkout_link/amount_changed'
    | 'checkout_link/expired'
    | 'checkout_link/locked'
    | 'checkout_link/paused'
    | 'checkout_link/player_erased'
    | 'order/canceled'
    | 'order/not_found'
    | 'order/not_free'
    | 'order/paid'
    | 'order/payment_pending';
  /** How long a paused link has to be left alone. */
  readonly retryAfterMs?: number;
  /** The amount due now, where that is more than was shown. */
  readonly amount?: Money;
}

type OrderDecision = Decision<OrderEvent, OrderRejection>;
type AttemptOrder = Extract<OrderCommand, { kind: 'AttemptOrder' }>;
type ClaimOrder = Extract<OrderCommand, { kind: 'ClaimOrder' }>;
type CancelOrder = Extract<OrderCommand, { kind: 'CancelOrder' }>;

/** Decides for one order (rules/orders). A second attempt while one is on its way joins it, and changes nothing. */
function decideOrder(command: OrderCommand, state: Order): OrderDecision {
  if (command.kind === 'CreateOrder') {
    if (state.status !== 'none') return accept();
    return accept({ type: 'order.created.v1', data: command.order });
  }
  if (state.status === 'none') return reject('order/not_found');
  switch (command.kind) {
    case 'OpenCheckout':
      return accept(...(state.status === 'OPEN' ? open(command.now, state) : []));
    case 'AttemptOrder':
      return attempt(clampWallTime(command, state), state);
    case 'ClaimOrder':
      return claim(clampWallTime(command, state), state);
    case 'CancelOrder':
      return cancel(clampWallTime(command, state), state);
    case 'ProcessOrderDueDate': {
      const { now } = command;
      const isDue = state.status === 'OPEN' && !isAttempting(state) && now >= state.expiresAt;
      return isDue ? accept({ type: 'order.expired.v1', data: { expiredAt: now } }) : accept();
    }
    default:
      return decideSettlement(command, state);
  }
}

/** That a player has come to the order; told once. */
function open(openedAt: Instant, state: CreatedOrder): OrderEvent[] {
  return state.openedAt === null ? [{ type: 'order.checkout_opened.v1', data: { openedAt } }] : [];
}

/** The same of a click, by a program that does not open the page of its link: its message is sent all the same. */
function openByClick({ now }: Click, state: CreatedOrder): OrderEvent[] {
  return tellsOfPayments(state) ? open(now, state) : [];
}

/** The wall clock of another machine may be behind the order's last event (rules/events 3). */
function clampWallTime<Command extends { readonly wallNow: Instant }>(
  command: Command,
  state: CreatedOrder,
): Command {
  const known = lastOrderAttempt(state)?.wallAttemptedAt ?? '';
  return { ...command, wallNow: laterInstant(command.wallNow, known) };
}

function attempt(command: AttemptOrder, state: CreatedOrder): OrderDecision {
  const { wallNow, paymentMethod, quote, emailMarketingOptIn, personal, shown } = command;
  if (isPaid(state) || joins(command, state)) return accept();
  const refusal = findRefusal(command, state);
  if (refusal !== undefined) return { accepted: false, rejection: refusal };
  // Less is charged as it is; more, the player has not agreed to.
  if (shown !== null && isGreater(quote.amount, shown)) {
    const { amount } = quote;
    return { accepted: false, rejection: { code: 'checkout_link/amount_changed', amount } };
  }
  const attempt = state.attempts.length + 1;
  const attemptedAt = command.now;
  const paymentId = deriveOrderPaymentId(state.orderId, { attempt, attemptedAt });
  const data = {
    ...{ attempt, paymentMethod, paymentId, quote, emailMarketingOptIn, personal },
    ...{ attemptedAt, wallAttemptedAt: wallNow },
  };
  return accept<OrderEvent>(...openByClick(command, state), { type: 'order.attempted.v1', data });
}

/** All pieces are redeemed, each by a message of its own, and the order is paid. */
function claim(command: ClaimOrder, state: CreatedOrder): OrderDecision {
  if (isPaid(state)) return accept();
  const refusal = findRefusal(command, state);
  if (refusal !== undefined) return { accepted: false, rejection: refusal };
  const { quote, emailMarketingOptIn, personal, now } = command;
  if (!isFree(quote)) return reject('order/not_free');
  const pieces = state.items.flatMap(({ quantity }, item) =>
    Array.from({ length: quantity }, (): OrderEvent => ({
      type: 'order.item_redeemed.v1',
      data: { item, redeemedAt: now },
    })),
  );
  const data = { quote, emailMarketingOptIn, personal, claimedAt: now };
  const opened = openByClick(command, state);
  return accept<OrderEvent>(...opened, { type: 'order.claimed.v1', data }, ...pieces);
}

/** Only another method takes the place of an attempt without an answer: the same one asks for it again. */
function joins({ paymentMethod, wallNow }: AttemptOrder, state: CreatedOrder): boolean {
  if (!isAttempting(state)) return false;
  const isSame = lastOrderAttempt(state)?.paymentMethod === paymentMethod;
  return isSame || !canBeReplaced(attemptSeries(state), wallNow);
}

/** Why no attempt begins now. */
function findRefusal(
  { now, wallNow, playerIsErased }: Click,
  state: CreatedOrder,
): OrderRejection | undefined {
  const { status, expiresAt, wallExpiresAt } = state;
  if (status === 'CANCELED') return { code: 'order/canceled' };
  if (status === 'FAILED' || now >= expiresAt || wallNow >= wallExpiresAt) {
    return { code: 'checkout_link/expired', detail: wallExpiresAt };
  }
  if (playerIsErased) return { code: 'checkout_link/player_erased' };
  const series = attemptSeries(state);
  if (isLocked(series, wallNow)) return { code: 'checkout_link/locked' };
  const retryAfterMs = pauseLeftMs(series, wallNow);
  return retryAfterMs > 0 ? { code: 'checkout_link/paused', retryAfterMs } : undefined;
}

/**
 * An attempt that could be replaced is given up with the order: should it be captured after all, it goes back. One
 * whose answer may come at any moment is waited for.
 */
function cancel(
  { reason, personal, now, wallNow }: CancelOrder,
  state: CreatedOrder,
): OrderDecision {
  if (state.status === 'CANCELED') return accept();
  if (state.status === 'FAILED') return reject('checkout_link/expired', state.wallExpiresAt);
  if (isPaid(state)) return reject('order/paid', state.orderId);
  if (isAttempting(state) && !canBeReplaced(attemptSeries(state), wallNow)) {
    return reject('order/payment_pending', state.orderId);
  }
  return accept({ type: 'order.canceled.v1', data: { reason, personal, canceledAt: now } });
}

/** Whether it was paid, whatever has become of the money since. */
function isPaid({ paidAt }: CreatedOrder): boolean {
  return paidAt !== null;
}

export const orderAggregate = defineAggregate('order', {
  initialState: noOrder,
  evolve: evolveOrder,
  decide: decideOrder,
});
