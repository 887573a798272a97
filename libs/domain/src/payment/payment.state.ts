import { unknownEvent } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { isGreater, type Money, subtract, zero } from '../money/index.js';
import { plus, settledStatus, sumGivenBack, unreturned } from './payment.balance.js';
import { type DisputeProgress, evolveDisputes, noDisputes } from './payment.dispute-state.js';
import { countMessages } from './payment.messages.js';
import type {
  ChargeRequest,
  Decline,
  PaymentEvent,
  PaymentGivenUp,
  PaymentMethodDetails,
  PaymentRefunded,
  PaymentRefundFailed,
  PaymentRefundRequested,
  PaymentRequested,
} from './payment.events.js';
import type { PurposeOutline } from './payment.purpose.js';

export type PaymentStatus =
  'PENDING' | 'SUCCEEDED' | 'FAILED' | 'PARTIALLY_REFUNDED' | 'REFUNDED' | 'DISPUTED';

/**
 * The life of a payment as a table (rules/payments 6): from which state, on which event, to which states.
 * Where two are possible, the money that is left decides.
 */
export const PAYMENT_TRANSITIONS: readonly {
  readonly from: PaymentStatus | 'none';
  readonly on: PaymentEvent['type'];
  readonly to: readonly PaymentStatus[];
}[] = [
  { from: 'none', on: 'payment.requested.v3', to: ['PENDING'] },
  { from: 'PENDING', on: 'payment.pending.v1', to: ['PENDING'] },
  { from: 'PENDING', on: 'payment.captured.v1', to: ['SUCCEEDED'] },
  { from: 'PENDING', on: 'payment.declined.v1', to: ['FAILED'] },
  { from: 'PENDING', on: 'payment.given_up.v1', to: ['FAILED'] },
  // Of those that were given up alone.
  { from: 'FAILED', on: 'payment.captured.v1', to: ['SUCCEEDED'] },
  { from: 'SUCCEEDED', on: 'payment.refund_requested.v1', to: ['SUCCEEDED'] },
  { from: 'PARTIALLY_REFUNDED', on: 'payment.refund_requested.v1', to: ['PARTIALLY_REFUNDED'] },
  { from: 'SUCCEEDED', on: 'payment.refund_failed.v1', to: ['SUCCEEDED'] },
  {
    from: 'PARTIALLY_REFUNDED',
    on: 'payment.refund_failed.v1',
    // What was made may fail after all.
    to: ['PARTIALLY_REFUNDED', 'SUCCEEDED'],
  },
  { from: 'DISPUTED', on: 'payment.refund_failed.v1', to: ['DISPUTED'] },
  { from: 'SUCCEEDED', on: 'payment.refunded.v1', to: ['PARTIALLY_REFUNDED', 'REFUNDED'] },
  { from: 'PARTIALLY_REFUNDED', on: 'payment.refunded.v1', to: ['PARTIALLY_REFUNDED', 'REFUNDED'] },
  { from: 'DISPUTED', on: 'payment.refunded.v1', to: ['DISPUTED'] },
  // What was asked for before a dispute that took the rest ends as well.
  { from: 'REFUNDED', on: 'payment.refunded.v1', to: ['REFUNDED'] },
  {
    from: 'REFUNDED',
    on: 'payment.refund_failed.v1',
    to: ['REFUNDED', 'PARTIALLY_REFUNDED', 'SUCCEEDED'],
  },
  { from: 'SUCCEEDED', on: 'payment.unapplied.v1', to: ['SUCCEEDED'] },
  { from: 'PARTIALLY_REFUNDED', on: 'payment.unapplied.v1', to: ['PARTIALLY_REFUNDED'] },
  { from: 'REFUNDED', on: 'payment.unapplied.v1', to: ['REFUNDED'] },
  { from: 'DISPUTED', on: 'payment.unapplied.v1', to: ['DISPUTED'] },
  { from: 'SUCCEEDED', on: 'payment.dispute_opened.v1', to: ['DISPUTED'] },
  { from: 'PARTIALLY_REFUNDED', on: 'payment.dispute_opened.v1', to: ['DISPUTED'] },
  // A player who was refunded may have disputed the payment as well.
  { from: 'REFUNDED', on: 'payment.dispute_opened.v1', to: ['DISPUTED'] },
  // Card networks know several disputes of one payment: it is disputed until all are closed.
  { from: 'DISPUTED', on: 'payment.dispute_opened.v1', to: ['DISPUTED'] },
  {
    from: 'DISPUTED',
    on: 'payment.dispute_closed.v1',
    to: ['SUCCEEDED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED'],
  },
];

/** A refund that was made. */
export interface MadeRefund {
  readonly refundId: string;
  readonly amount: Money;
  readonly tax: Money | null;
}

/** A refund that has no outcome yet. */
export interface OpenRefund extends MadeRefund {
  readonly requestedAt: Instant;
}

/** What changes in the life of a payment. */
export interface PaymentProgress extends DisputeProgress {
  readonly status: PaymentStatus;
  readonly updatedAt: Instant;
  /** Set when the gateway left the charge open, or did not answer; stays set. */
  readonly pendingSince: Instant | null;
  /** Null until captured; stays set for good: `succeeded` remains true after a refund (rules/payments 6). */
  readonly capturedAt: Instant | null;
  readonly failedAt: Instant | null;
  readonly decline: Decline | null;
  /** Set when the charge was given up; stays set, also where it was captured after all. */
  readonly givenUp: Pick<PaymentGivenUp['data'], 'givenUpAt' | 'wallGivenUpAt'> | null;
  readonly method: PaymentMethodDetails;
  readonly totalRefunded: Money;
  /** What of it was tax. */
  readonly refundedTax: Money;
  /** Refunds that the gateway is asked for: their amounts do not remain for others. */
  readonly openRefunds: readonly OpenRefund[];
  /** Those that were made, and did not fail later. */
  readonly madeRefunds: readonly MadeRefund[];
  /** The refunds that were made or failed: asking for one of them again changes nothing. */
  readonly refundIds: readonly string[];
  readonly lastRefundAt: Instant | null;
  /** Set when the payment was captured and buys nothing. */
  readonly unappliedAt: Instant | null;
  /** How many messages the events so far gave rise to whose subject is the payment itself. */
  readonly messageCount: number;
}

/** A payment as its events tell it. */
export interface RequestedPayment extends ChargeRequest, PaymentProgress {
  readonly requestedAt: Instant;
}

export type Payment = { readonly status: 'none' } | RequestedPayment;

/** What of a charge decides how its payment goes on. */
interface Charged extends Pick<ChargeRequest, 'amount'> {
  readonly purpose: PurposeOutline;
}

export const noPayment: Payment = { status: 'none' };

/** Folds one event; total: one that has no row in the table for this state leaves it as it is. */
export function evolvePayment(state: Payment, event: PaymentEvent): Payment {
  if (event.type === 'payment.requested.v3') {
    return state.status === 'none' ? { ...event.data, ...initialPaymentProgress(event) } : state;
  }
  return state.status === 'none' ? state : evolvePaymentProgress(state, event);
}

/** Folds one event into what changes, and keeps whatever else the state holds. Total. */
export function evolvePaymentProgress<State extends PaymentProgress & Charged>(
  state: State,
  event: PaymentEvent,
): State {
  if (event.type === 'payment.requested.v3' || !isPossible(state, event.type)) return state;
  const after = { ...state, ...changes(state, event) };
  return { ...after, messageCount: after.messageCount + countMessages(event, after) };
}

/** What an event changes. */
function changes(
  state: PaymentProgress & Charged,
  event: Exclude<PaymentEvent, PaymentRequested>,
): Partial<PaymentProgress> {
  switch (event.type) {
    case 'payment.pending.v1':
      return { pendingSince: event.data.pendingSince };
    case 'payment.captured.v1': {
      const { capturedAt, ...method } = event.data;
      // One that had been given up has not failed after all.
      const failure = { failedAt: null, decline: null };
      return { status: 'SUCCEEDED', capturedAt, updatedAt: capturedAt, method, ...failure };
    }
    case 'payment.declined.v1': {
      const { failedAt, reason, declineClass, rawDeclineCode, ...method } = event.data;
      const decline = { reason, declineClass, rawDeclineCode };
      return { status: 'FAILED', failedAt, updatedAt: failedAt, decline, method };
    }
    case 'payment.given_up.v1': {
      const { givenUpAt: failedAt, wallGivenUpAt, ...decline } = event.data;
      const givenUp = { givenUpAt: failedAt, wallGivenUpAt };
      return { status: 'FAILED', failedAt, updatedAt: failedAt, decline, givenUp };
    }
    case 'payment.refund_requested.v1':
    case 'payment.refund_failed.v1':
    case 'payment.refunded.v1':
      return evolveRefunds(state, event);
    case 'payment.unapplied.v1':
      return { unappliedAt: event.data.unappliedAt };
    case 'payment.dispute_opened.v1':
    case 'payment.dispute_closed.v1':
      return evolveDisputes(state, event);
    default:
      return unknownEvent({}, event);
  }
}

/** What is captured, not given back yet, and not being given back. */
export function refundable(
  payment: Pick<PaymentProgress, 'capturedAt' | 'totalRefunded' | 'openRefunds'> &
    Pick<Charged, 'amount'>,
): Money {
  if (payment.capturedAt === null) return zero(payment.amount.currency);
  return payment.openRefunds.reduce(
    (rest, { amount }) => (isGreater(amount, rest) ? zero(rest.currency) : subtract(rest, amount)),
    unreturned(payment),
  );
}

/** A refund that the gateway is asked for; undefined where it was not asked for, or has ended. */
export function findOpenRefund(
  { openRefunds }: Pick<PaymentProgress, 'openRefunds'>,
  refundId: string,
): OpenRefund | undefined {
  return openRefunds.find((open) => open.refundId === refundId);
}

/** Whether the charge was given up, and has no outcome still: it may have been captured after all. */
export function isGivenUp({
  status,
  givenUp,
}: Pick<PaymentProgress, 'status' | 'givenUp'>): boolean {
  return status === 'FAILED' && givenUp !== null;
}

/** Whether the table has a row for this event in this state. */
function isPossible(state: PaymentProgress, on: PaymentEvent['type']): boolean {
  const { status: from } = state;
  if (from === 'FAILED' && !isGivenUp(state)) return false;
  return PAYMENT_TRANSITIONS.some((row) => row.from === from && row.on === on);
}

/** How a payment begins. */
export function initialPaymentProgress(event: PaymentRequested): PaymentProgress {
  return {
    status: 'PENDING',
    updatedAt: event.data.requestedAt,
    pendingSince: null,
    capturedAt: null,
    failedAt: null,
    decline: null,
    givenUp: null,
    method: { paymentMethodSubType: '', issuerBank: '' },
    totalRefunded: zero(event.data.amount.currency),
    refundedTax: zero(event.data.amount.currency),
    openRefunds: [],
    madeRefunds: [],
    refundIds: [],
    lastRefundAt: null,
    ...noDisputes(event.data.amount.currency),
    unappliedAt: null,
    messageCount: 0,
  };
}

function evolveRefunds(
  state: PaymentProgress & Charged,
  event: PaymentRefundRequested | PaymentRefunded | PaymentRefundFailed,
): Partial<PaymentProgress> {
  const { refundId } = event.data;
  const others = state.openRefunds.filter((open) => open.refundId !== refundId);
  if (event.type === 'payment.refund_requested.v1') {
    const { amount, tax, requestedAt } = event.data;
    return { openRefunds: [...others, { refundId, amount, tax, requestedAt }] };
  }
  const refundIds = [...new Set([...state.refundIds, refundId])];
  const ended = { openRefunds: others, refundIds };
  return event.type === 'payment.refunded.v1'
    ? { ...ended, ...refunded(state, event.data) }
    : { ...ended, ...unmade(state, event.data) };
}

function refunded(
  state: PaymentProgress & Charged,
  { refundId, amount, refundedAt }: PaymentRefunded['data'],
): Partial<PaymentProgress> {
  const tax = findOpenRefund(state, refundId)?.tax ?? null;
  const madeRefunds = [...state.madeRefunds, { refundId, amount, tax }];
  const refundedTax = tax === null ? state.refundedTax : plus(state.refundedTax, tax);
  const totals = { lastRefundAt: refundedAt, updatedAt: refundedAt };
  return { madeRefunds, refundedTax, ...totals, ...giveBack({ ...state, madeRefunds }) };
}

/** A refund that was made has failed after all: nothing of it was given back. */
function unmade(
  state: PaymentProgress & Charged,
  { refundId, failedAt }: PaymentRefundFailed['data'],
): Partial<PaymentProgress> {
  const failed = state.madeRefunds.find((made) => made.refundId === refundId);
  if (failed === undefined) return {};
  const madeRefunds = state.madeRefunds.filter((made) => made !== failed);
  const refundedTax =
    failed.tax === null ? state.refundedTax : subtract(state.refundedTax, failed.tax);
  return { madeRefunds, refundedTax, updatedAt: failedAt, ...giveBack({ ...state, madeRefunds }) };
}

/** What is given back, and what the payment is by that; it stays disputed while a dispute is open. */
function giveBack(
  state: PaymentProgress & Charged,
): Pick<PaymentProgress, 'totalRefunded' | 'status'> {
  const totalRefunded = sumGivenBack(state, state);
  const status =
    state.openDisputes.length === 0 ? settledStatus({ ...state, totalRefunded }) : state.status;
  return { totalRefunded, status };
}
