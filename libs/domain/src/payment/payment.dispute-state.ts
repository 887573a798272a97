import type { Instant } from '../event/index.js';
import { type Money, zero } from '../money/index.js';
import { type Balance, plus, settledStatus, sumGivenBack } from './payment.balance.js';
import type { DisputeClosed, DisputeOpened } from './payment.events.js';

/** A dispute that has no outcome yet. */
export interface OpenDispute {
  readonly disputeId: string;
  readonly amount: Money;
}

/** The disputed part of a payment (rules/payments 17). */
export interface DisputeProgress {
  readonly openDisputes: readonly OpenDispute[];
  /** The disputes that were closed: a notice of one of them changes nothing. */
  readonly disputeIds: readonly string[];
  /** The dispute of the last of these events; null before the first one. */
  readonly lastDispute: {
    /** All that was in dispute, with the one that was opened or closed. */
    readonly total: Money;
    /** Null where it was opened. */
    readonly won: boolean | null;
  } | null;
  /** The sum of lost disputes. */
  readonly lostTotal: Money;
}

/** How the disputes of a payment begin. */
export function noDisputes(currency: string): DisputeProgress {
  return { openDisputes: [], disputeIds: [], lastDispute: null, lostTotal: zero(currency) };
}

/** The state that an event of a dispute needs. */
interface Disputed extends DisputeProgress, Balance {
  readonly madeRefunds: readonly { readonly amount: Money }[];
}

interface AfterDispute extends DisputeProgress {
  readonly status: 'DISPUTED' | ReturnType<typeof settledStatus>;
  readonly totalRefunded: Money;
  readonly updatedAt: Instant;
}

/** A dispute that is open; undefined where there was none of that id, or it was closed. */
export function findOpenDispute(
  { openDisputes }: Pick<DisputeProgress, 'openDisputes'>,
  disputeId: string,
): OpenDispute | undefined {
  return openDisputes.find((open) => open.disputeId === disputeId);
}

/** The fields that an event of a dispute changes; none where no dispute of that id is open to be closed. Total. */
export function evolveDisputes(
  state: Disputed,
  event: DisputeOpened | DisputeClosed,
): Partial<AfterDispute> {
  return event.type === 'payment.dispute_opened.v1'
    ? open(state, event.data)
    : close(state, event.data);
}

function open(
  state: Disputed,
  { disputeId, amount, openedAt }: DisputeOpened['data'],
): Partial<AfterDispute> {
  const others = state.openDisputes.filter((one) => one.disputeId !== disputeId);
  const openDisputes = [...others, { disputeId, amount }];
  const lastDispute = { total: sum(openDisputes, state), won: null };
  return { status: 'DISPUTED', openDisputes, lastDispute, updatedAt: openedAt };
}

function close(
  state: Disputed,
  { disputeId, won, closedAt }: DisputeClosed['data'],
): Partial<AfterDispute> {
  const dispute = findOpenDispute(state, disputeId);
  if (dispute === undefined) return {};
  const openDisputes = state.openDisputes.filter((one) => one !== dispute);
  const lostTotal = won ? state.lostTotal : plus(state.lostTotal, dispute.amount);
  const totalRefunded = sumGivenBack(state, { ...state, lostTotal });
  return {
    status: openDisputes.length > 0 ? 'DISPUTED' : settledStatus({ ...state, totalRefunded }),
    totalRefunded,
    lostTotal,
    openDisputes,
    disputeIds: [...state.disputeIds, disputeId],
    lastDispute: { total: sum(state.openDisputes, state), won },
    updatedAt: closedAt,
  };
}

function sum(disputes: readonly OpenDispute[], { amount }: Balance): Money {
  return disputes.reduce((total, one) => plus(total, one.amount), zero(amount.currency));
}
