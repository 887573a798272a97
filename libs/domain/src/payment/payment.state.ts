import { unknownEvent } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { isGreater, type Money, subtract, zero } from '../money/index.js';
import { unreturned } from './payment.balance.js';
import { type DisputeProgress, evolveDisputes, noDisputes } from './payment.dispute-state.js';
import { countMessages } from './payment.messages.js';
import type {
  ChargeRequest,
  Decline,
  PaymentEvent,
  PaymentGivenUp,
  PaymentMethodDetails,
  PaymentRequested,
} from './payment.events.js';
import { datedAtCapture } from './payment.first-period.js';
import type { PurposeOutline } from './payment.purpose.js';
import { evolveRefunds, noRefunds, type RefundProgress } from './payment.refund-state.js';

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
  { from: 'PENDING', on: 'payment.challenged.v2', to: ['PENDING'] },
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
    // A refund that was made may fail after all.
    to: ['PARTIALLY_REFUNDED', 'SUCCEEDED'],
  },
  { from: 'DISPUTED', on: 'payment.refund_failed.v1', to: ['DISPUTED'] },
  { from: 'SUCCEEDED', on: 'payment.refunded.v1', to: ['PARTIALLY_REFUNDED', 'REFUNDED'] },
  { from: 'PARTIALLY_REFUNDED', on: 'payment.refunded.v1', to: ['PARTIALLY_REFUNDED', 'REFUNDED'] },
  { from: 'DISPUTED', on: 'payment.refunded.v1', to: ['DISPUTED'] },
  // A refund that was asked for before a dispute took the rest ends as well.
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

/** The part of a payment that changes. */
export interface PaymentProgress extends DisputeProgress, RefundProgress {
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
  /** Set when the payment was captured and buys nothing. */
  readonly unappliedAt: Instant | null;
  /** How many messages the events so far gave rise to whose subject is the payment itself. */
  readonly messageCount: number;
}

/** A payment as its events tell it. */
export interface RequestedPayment extends ChargeRequest, PaymentProgress {
  readonly requestedAt: Instant;
  /** Set when the bank wanted the player to confirm the charge; stays set. No read model shows it. */
  readonly challengedAt: Instant | null;
}

export type Payment = { readonly status: 'none' } | RequestedPayment;

/** The part of a charge that decides its payment's next steps. */
interface Charged extends Pick<ChargeRequest, 'amount'> {
  readonly purpose: PurposeOutline;
}

export const noPayment: Payment = { status: 'none' };

/** Folds one event; total: one that has no row in the table for this state leaves it as it is. */
export function evolvePayment(state: Payment, event: PaymentEvent): Payment {
  if (event.type === 'payment.requested.v3') {
    // Copied last: V8 takes a hundred times as long to add fields to a copy of many.
    const begun = { challengedAt: null, ...initialPaymentProgress(event), ...event.data };
    return state.status === 'none' ? begun : state;
  }
  if (event.type === 'payment.challenged.v2' && state.status === 'PENDING') {
    return { ...state, challengedAt: event.data.challengedAt };
  }
  if (state.status === 'none') return state;
  const after = evolvePaymentProgress(state, event);
  return event.type === 'payment.captured.v1' && after !== state ? datedAtCapture(after) : after;
}

/** Folds one event into the part that changes, and keeps whatever else the state holds. Total. */
export function evolvePaymentProgress<State extends PaymentProgress & Charged>(
  state: State,
  event: PaymentEvent,
): State {
  if (event.type === 'payment.requested.v3' || !isPossible(state, event.type)) return state;
  const after = { ...state, ...changes(state, event) };
  return { ...after, messageCount: after.messageCount + countMessages(event, after) };
}

/** The fields that an event changes. */
function changes(
  state: PaymentProgress & Charged,
  event: Exclude<PaymentEvent, PaymentRequested>,
): Partial<PaymentProgress> {
  switch (event.type) {
    case 'payment.pending.v1':
      return { pendingSince: event.data.pendingSince };
    case 'payment.challenged.v2':
      return {};
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

/** The captured amount that is not given back yet, and is not being given back. */
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
    unappliedAt: null,
    messageCount: 0,
    ...noRefunds(event.data.amount.currency),
    ...noDisputes(event.data.amount.currency),
  };
}
