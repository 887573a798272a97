import { accept, type AnyRejection, type Decision, reject } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { isGreater, isPositive, type Money } from '../money/index.js';
import { findOpenDispute } from './payment.dispute-state.js';
import type { DisputeClosed, DisputeOpened } from './payment.events.js';
import type { RequestedPayment } from './payment.state.js';

/** The gateway's reports of disputes of one payment (rules/payments 17). */
export type DisputeCommand =
  | {
      readonly kind: 'OpenDispute';
      readonly disputeId: string;
      readonly amount: Money;
      readonly now: Instant;
    }
  | {
      readonly kind: 'CloseDispute';
      readonly disputeId: string;
      /** Of the dispute, so that one whose opening has not come yet is known in full. */
      readonly amount: Money;
      /** By the merchant. */
      readonly won: boolean;
      readonly now: Instant;
    };

export interface DisputeRejection extends AnyRejection {
  readonly code: 'payment/not_captured' | 'payment/too_many_disputes';
}

type DisputeDecision = Decision<DisputeOpened | DisputeClosed, DisputeRejection>;

/** Each is read with the payment for good. */
const DISPUTES_AT_MOST = 100;

/** A known report changes nothing, in whatever order it comes. */
export function decideDispute(command: DisputeCommand, state: RequestedPayment): DisputeDecision {
  const { kind, disputeId, now } = command;
  if (state.disputeIds.includes(disputeId)) return accept();
  const isOpen = findOpenDispute(state, disputeId) !== undefined;
  if (kind === 'OpenDispute') return isOpen ? accept() : open(command, state);
  const closed: DisputeClosed = {
    type: 'payment.dispute_closed.v1',
    data: { disputeId, won: command.won, closedAt: now },
  };
  if (isOpen) return accept(closed);
  const opened = open(command, state);
  return opened.accepted ? accept(...opened.events, closed) : opened;
}

/** A gateway's report on a captured payment counts, also where a refund has given all of it back. */
function open(
  { disputeId, amount, now }: DisputeCommand,
  state: RequestedPayment,
): DisputeDecision {
  if (state.capturedAt === null) return reject('payment/not_captured', state.status);
  if (state.disputeIds.length + state.openDisputes.length >= DISPUTES_AT_MOST) {
    return reject('payment/too_many_disputes', String(DISPUTES_AT_MOST));
  }
  return accept({
    type: 'payment.dispute_opened.v1',
    data: { disputeId, amount: partIn(state, amount), openedAt: now },
  });
}

/**
 * Networks count in money and at rates of their own: an amount that is no part of the payment counts as the whole of
 * it.
 */
function partIn({ amount: whole }: RequestedPayment, amount: Money): Money {
  const isPart =
    amount.currency === whole.currency && isPositive(amount) && !isGreater(amount, whole);
  return isPart ? amount : whole;
}
