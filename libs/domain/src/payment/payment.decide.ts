import { deepEqual } from 'fast-equals';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  reject,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import {
  type ChargeRequest,
  type Decline,
  GIVEN_UP,
  type PaymentEvent,
  type PaymentMethodDetails,
} from './payment.events.js';
import { refundCredit, type RefundUnusedCredit } from './payment.credit-refund.js';
import { sumLines } from './payment.lines.js';
import { decideDispute, type DisputeCommand, type DisputeRejection } from './payment.disputes.js';
import { decideRefund, type RefundCommand, type RefundRejection } from './payment.refunds.js';
import {
  evolvePayment,
  isGivenUp,
  noPayment,
  type Payment,
  type RequestedPayment,
} from './payment.state.js';

export type PaymentCommand =
  | { readonly kind: 'RequestPayment'; readonly charge: ChargeRequest; readonly now: Instant }
  /** The gateway has left the charge open, or does not answer: the outcome comes later. */
  | { readonly kind: 'LeavePaymentPending'; readonly now: Instant }
  /** The bank wants the player to confirm the charge: its outcome comes after that. */
  | { readonly kind: 'ChallengePayment'; readonly sealedUrl: string; readonly now: Instant }
  | {
      readonly kind: 'CapturePayment';
      readonly method: PaymentMethodDetails;
      readonly now: Instant;
    }
  | {
      readonly kind: 'DeclinePayment';
      readonly decline: Decline;
      readonly method: PaymentMethodDetails;
      readonly now: Instant;
    }
  /** The charge has no outcome by the time that it may take at most (rules/payments 17). */
  | { readonly kind: 'GiveUpPayment'; readonly now: Instant; readonly wallNow: Instant }
  /** The captured payment buys nothing: another one has paid for its purpose. */
  | { readonly kind: 'LeavePaymentUnapplied'; readonly now: Instant }
  | RefundCommand
  | RefundUnusedCredit
  | DisputeCommand;

export interface PaymentRejection extends AnyRejection {
  readonly code: 'payment/not_found' | RefundRejection['code'] | DisputeRejection['code'];
}

type OutcomeCommand = Extract<
  PaymentCommand,
  {
    kind:
      | 'LeavePaymentPending'
      | 'ChallengePayment'
      | 'CapturePayment'
      | 'DeclinePayment'
      | 'GiveUpPayment';
  }
>;
type PaymentDecision = Decision<PaymentEvent, PaymentRejection>;

/** Decides for one payment (rules/payments 6). A known outcome or refund changes nothing. */
function decidePayment(command: PaymentCommand, state: Payment): PaymentDecision {
  if (command.kind === 'RequestPayment') return request(command, state);
  if (state.status === 'none') return reject('payment/not_found');
  switch (command.kind) {
    case 'LeavePaymentPending':
    case 'ChallengePayment':
    case 'CapturePayment':
    case 'DeclinePayment':
    case 'GiveUpPayment':
      return decideOutcome(command, state);
    case 'LeavePaymentUnapplied':
      if (state.capturedAt === null || state.unappliedAt !== null) return accept();
      return accept({ type: 'payment.unapplied.v1', data: { unappliedAt: command.now } });
    case 'OpenDispute':
    case 'CloseDispute':
      return decideDispute(command, state);
    case 'RefundUnusedCredit':
      return refundCredit(command, state);
    default:
      return decideRefund(command, state);
  }
}

/** A charge has one outcome; one that was given up may have been captured all the same. */
function decideOutcome(command: OutcomeCommand, state: RequestedPayment): PaymentDecision {
  const { kind, now } = command;
  const isLate = kind === 'CapturePayment' && isGivenUp(state);
  if (state.status !== 'PENDING' && !isLate) return accept();
  switch (kind) {
    case 'LeavePaymentPending':
      return accept(...leavePending(state, now));
    case 'ChallengePayment': {
      if (state.challengedAt !== null) return accept();
      const data = { sealedUrl: command.sealedUrl, challengedAt: now };
      // A charge that waits for its outcome now waits for a player, who may take a day.
      return accept(...leavePending(state, now), { type: 'payment.challenged.v2', data });
    }
    case 'CapturePayment':
      return accept({ type: 'payment.captured.v1', data: { ...command.method, capturedAt: now } });
    case 'DeclinePayment': {
      const { decline, method } = command;
      return accept({
        type: 'payment.declined.v1',
        data: { ...decline, ...method, failedAt: now },
      });
    }
    case 'GiveUpPayment': {
      const times = { givenUpAt: now, wallGivenUpAt: command.wallNow };
      return accept({ type: 'payment.given_up.v1', data: { ...GIVEN_UP, ...times } });
    }
  }
}

function leavePending({ pendingSince }: RequestedPayment, now: Instant): PaymentEvent[] {
  return pendingSince === null ? [{ type: 'payment.pending.v1', data: { pendingSince: now } }] : [];
}

function request(
  command: Extract<PaymentCommand, { kind: 'RequestPayment' }>,
  state: Payment,
): PaymentDecision {
  if (state.status !== 'none') return accept();
  assertAddsUp(command.charge);
  return accept({
    type: 'payment.requested.v3',
    data: { ...command.charge, requestedAt: command.now },
  });
}

/** Every amount explains itself. @throws Error for lines that do not: then we were wrong. */
function assertAddsUp({ paymentId, amount, lines }: ChargeRequest): void {
  const sum = sumLines(lines);
  if (deepEqual(sum, amount)) return;
  const [found, wanted] = [sum, amount].map((money) => `${money.amountMinor} ${money.currency}`);
  throw new Error(`the lines of ${paymentId} add up to ${found}, not to ${wanted}`);
}

export const paymentAggregate = defineAggregate('payment', {
  initialState: noPayment,
  evolve: evolvePayment,
  decide: decidePayment,
});
