import type { Instant } from '../event/index.js';
import { type Money, subtract, zero } from '../money/index.js';
import { type Balance, plus, settledStatus, sumGivenBack } from './payment.balance.js';
import type { DisputeProgress } from './payment.dispute-state.js';
import type {
  PaymentRefunded,
  PaymentRefundFailed,
  PaymentRefundRequested,
} from './payment.events.js';

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

/** The part of a payment that is given back, or is to be (rules/payments 13). */
export interface RefundProgress {
  readonly totalRefunded: Money;
  /** The tax in it. */
  readonly refundedTax: Money;
  /** Refunds that the gateway is asked for: their amounts do not remain for others. */
  readonly openRefunds: readonly OpenRefund[];
  /** Those that were made, and did not fail later. */
  readonly madeRefunds: readonly MadeRefund[];
  /** The refunds that were made or failed: asking for one of them again changes nothing. */
  readonly refundIds: readonly string[];
  readonly lastRefundAt: Instant | null;
}

/** How the refunds of a payment begin. */
export function noRefunds(currency: string): RefundProgress {
  const nothing = zero(currency);
  return {
    totalRefunded: nothing,
    refundedTax: nothing,
    openRefunds: [],
    madeRefunds: [],
    refundIds: [],
    lastRefundAt: null,
  };
}

/** The state that an event of a refund needs. */
interface Refunded extends RefundProgress, DisputeProgress, Balance {}

interface AfterRefund extends RefundProgress {
  readonly status: ReturnType<typeof settledStatus>;
  readonly updatedAt: Instant;
}

/** A refund that the gateway is asked for; undefined where it was not asked for, or has ended. */
export function findOpenRefund(
  { openRefunds }: Pick<RefundProgress, 'openRefunds'>,
  refundId: string,
): OpenRefund | undefined {
  return openRefunds.find((open) => open.refundId === refundId);
}

/** A refund that was made, and did not fail later. */
export function findMadeRefund(
  { madeRefunds }: Pick<RefundProgress, 'madeRefunds'>,
  refundId: string,
): MadeRefund | undefined {
  return madeRefunds.find((made) => made.refundId === refundId);
}

/** Whether a refund was made, and did not fail later, however little of it counts beside a lost dispute. */
export function isRefundMade(
  refunds: Pick<RefundProgress, 'madeRefunds'>,
  refundId: string,
): boolean {
  return findMadeRefund(refunds, refundId) !== undefined;
}

/** The fields that an event of a refund changes. Total. */
export function evolveRefunds(
  state: Refunded,
  event: PaymentRefundRequested | PaymentRefunded | PaymentRefundFailed,
): Partial<AfterRefund> {
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
  state: Refunded,
  { refundId, amount, refundedAt }: PaymentRefunded['data'],
): Partial<AfterRefund> {
  const tax = findOpenRefund(state, refundId)?.tax ?? null;
  const madeRefunds = [...state.madeRefunds, { refundId, amount, tax }];
  const refundedTax = tax === null ? state.refundedTax : plus(state.refundedTax, tax);
  const totals = { lastRefundAt: refundedAt, updatedAt: refundedAt };
  return { madeRefunds, refundedTax, ...totals, ...giveBack({ ...state, madeRefunds }) };
}

/** A refund that was made has failed after all: nothing of it was given back. */
function unmade(
  state: Refunded,
  { refundId, failedAt }: PaymentRefundFailed['data'],
): Partial<AfterRefund> {
  const failed = state.madeRefunds.find((made) => made.refundId === refundId);
  if (failed === undefined) return {};
  const madeRefunds = state.madeRefunds.filter((made) => made !== failed);
  const refundedTax =
    failed.tax === null ? state.refundedTax : subtract(state.refundedTax, failed.tax);
  return { madeRefunds, refundedTax, updatedAt: failedAt, ...giveBack({ ...state, madeRefunds }) };
}

/** The refunded sum, and the payment's status by it; it stays disputed while a dispute is open. */
function giveBack(state: Refunded): Partial<AfterRefund> {
  const totalRefunded = sumGivenBack(state, state);
  if (state.openDisputes.length > 0) return { totalRefunded };
  return { totalRefunded, status: settledStatus({ ...state, totalRefunded }) };
}
