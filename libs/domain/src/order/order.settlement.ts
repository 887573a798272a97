import { accept, type Decision } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { isPositive, type Money, subtract } from '../money/index.js';
import type { Decline, NotedPayment, PaymentStatus } from '../payment/index.js';
import type { OrderEvent } from './order.events.js';
import { type CreatedOrder, lastOrderAttempt } from './order.state.js';

/** The state of a payment of the order, as of one of its events. */
interface Recording extends NotedPayment {
  readonly paymentStatus: PaymentStatus;
  readonly totalRefunded: Money;
  readonly now: Instant;
}

/** The news of an order's payments, for the order to note. */
export type SettlementCommand =
  /** The bank wants the player to confirm the charge of an attempt. */
  | {
      readonly kind: 'ChallengeOrder';
      readonly paymentId: string;
      readonly sealedUrl: string;
      readonly now: Instant;
    }
  /** The gateway's answer for an attempt, or that it was given up. */
  | (NotedPayment & {
      readonly kind: 'SettleOrder';
      readonly outcome: 'captured' | Decline;
      readonly now: Instant;
    })
  /** Each of these is given once: the caller's command id tells a repetition. */
  | (Recording & {
      readonly kind: 'RecordOrderRefund';
      /** Of the refund; null where one that was made has failed after all. */
      readonly amount: Money | null;
    })
  | (Recording & { readonly kind: 'RecordOrderDispute'; readonly closed: boolean });

type SettleOrder = Extract<SettlementCommand, { kind: 'SettleOrder' }>;

/** These commands reject nothing: the gateway has acted already. */
type SettlementDecision = Decision<OrderEvent, never>;

/** Decides after an event of one of the order's payments (rules/orders 2). */
export function decideSettlement(
  command: SettlementCommand,
  state: CreatedOrder,
): SettlementDecision {
  switch (command.kind) {
    case 'ChallengeOrder':
      return challenge(command, state);
    case 'SettleOrder':
      return command.outcome === 'captured'
        ? acceptCapture(command, state)
        : decline(command, command.outcome, state);
    case 'RecordOrderRefund': {
      const { kind: _, now: recordedAt, ...recorded } = command;
      return accept({ type: 'order.refund_recorded.v1', data: { ...recorded, recordedAt } });
    }
    case 'RecordOrderDispute': {
      const { kind: _, now: recordedAt, ...recorded } = command;
      const data = { ...recorded, ...takenBy(command, state), recordedAt };
      return accept({ type: 'order.dispute_recorded.v1', data });
    }
  }
}

/** The amount that a dispute took, as the studio revokes it; nothing of a late payment, which bought nothing. */
function takenBy(
  { closed, paymentId, totalRefunded }: Extract<SettlementCommand, { kind: 'RecordOrderDispute' }>,
  state: CreatedOrder,
): { readonly taken?: Money } {
  if (!closed || paymentId !== state.paidBy) return {};
  const taken = subtract(totalRefunded, state.totalRefunded);
  return isPositive(taken) ? { taken } : {};
}

/** Noted once, and of an attempt without an outcome alone: also of a replaced one, which it does not bring back. */
function challenge(
  { paymentId, sealedUrl, now }: Extract<SettlementCommand, { kind: 'ChallengeOrder' }>,
  state: CreatedOrder,
): SettlementDecision {
  const challenged = findAttempt(state, paymentId);
  const isOver = challenged === undefined || challenged.decline !== null || state.paidAt !== null;
  if (isOver || challenged.challenge !== null) return accept();
  return accept({
    type: 'order.challenged.v1',
    data: { attempt: challenged.attempt, sealedUrl, challengedAt: now },
  });
}

function decline(
  { paymentId, paymentRevision, now }: SettleOrder,
  { reason, declineClass }: Decline,
  state: CreatedOrder,
): SettlementDecision {
  const declined = findAttempt(state, paymentId);
  if (declined === undefined || declined.decline !== null) return accept();
  const { attempt } = declined;
  return accept({
    type: 'order.payment_declined.v1',
    data: { paymentId, paymentRevision, attempt, reason, declineClass, declinedAt: now },
  });
}

/**
 * A payment was captured: the attempt that counts pays the order, and any other one goes back. Decided here, where
 * attempts are ordered, so that never two payments are kept, and none of an order that has ended.
 */
function acceptCapture(
  { paymentId, paymentRevision, now }: SettleOrder,
  state: CreatedOrder,
): SettlementDecision {
  if (state.paidBy === paymentId || state.lateCaptures.includes(paymentId)) return accept();
  const last = lastOrderAttempt(state);
  // One that was given up has failed for the payer: captured after all, it goes back.
  const counts = last?.paymentId === paymentId && last.decline === null;
  if (counts && state.status === 'OPEN') {
    const { attempt } = last;
    return accept({
      type: 'order.paid.v1',
      data: { paymentId, paymentRevision, attempt, paidAt: now },
    });
  }
  return accept({
    type: 'order.late_outcome_recorded.v1',
    data: { paymentId, paymentRevision, recordedAt: now },
  });
}

function findAttempt({ attempts }: CreatedOrder, paymentId: string) {
  return attempts.find((one) => one.paymentId === paymentId);
}
