import type { Instant } from '../event/index.js';
import { deriveId, readBucket } from './ids.js';

/**
 * Every id that follows from another, in one place: its source is stored for ever, since the same id has to come out
 * however often a decision is made again (rules/lifecycle 8). A derived id has the bucket of its source.
 */

/** Of ids that follow from texts without an instant. */
const EPOCH = '1970-01-01T00:00:00.000Z';

/** The subscription that a checkout link may become: one at most, whichever attempt pays. */
export function deriveSubscriptionId(linkId: string, firstAttemptedAt: Instant): string {
  return deriveId('sub', firstAttemptedAt, readBucket(linkId), linkId);
}

/** The payment of one attempt on a checkout link. */
export function deriveCheckoutPaymentId(
  linkId: string,
  { attempt, attemptedAt }: { readonly attempt: number; readonly attemptedAt: Instant },
): string {
  return deriveId('pay', attemptedAt, readBucket(linkId), `${linkId}/${attempt}`);
}

/** The payment of one attempt to pay an order. */
export function deriveOrderPaymentId(
  orderId: string,
  { attempt, attemptedAt }: { readonly attempt: number; readonly attemptedAt: Instant },
): string {
  return deriveId('pay', attemptedAt, readBucket(orderId), `${orderId}/${attempt}`);
}

/** The payment of one attempt to charge a period of a subscription; it sorts by its due date. */
export function derivePeriodPaymentId(
  subscriptionId: string,
  { dueAt, attempt }: { readonly dueAt: Instant; readonly attempt: number },
): string {
  const bucket = readBucket(subscriptionId);
  return deriveId('pay', dueAt, bucket, `${subscriptionId}/${dueAt}/${attempt}`);
}

/**
 * The refund of a payment that was captured too late: one for each of its disputes that was closed, and one before
 * those (rules/payments 14).
 */
export function deriveLateRefundId(paymentId: string, closedDisputes = 0): string {
  return closedDisputes === 0 ? `${paymentId}.late` : `${paymentId}.late.${closedDisputes}`;
}

/** Whether a refund of a payment is one by which it goes back by itself. */
export function isLateRefundId(refundId: string, paymentId: string): boolean {
  const first = deriveLateRefundId(paymentId);
  return refundId === first || refundId.startsWith(`${first}.`);
}

/** The refund by which a change of the plan gives unused time of a payment back: one for each change (rules/payments 20). */
export function deriveCreditRefundId(paymentId: string, changeRevision: number): string {
  return `${paymentId}.unused.${changeRevision}`;
}

/** Whether a refund of a payment is one by which a change of the plan gives unused time back. */
export function isCreditRefundId(refundId: string, paymentId: string): boolean {
  return refundId.startsWith(`${paymentId}.unused.`);
}

/** The command by which a subscription records a dispute's event: one for each of them. */
export function deriveDisputeRecordingId(told: {
  readonly paymentId: string;
  readonly paymentRevision: number;
}): string {
  return `record_dispute ${told.paymentId}/${told.paymentRevision}`;
}

/** The command by which a subscription records the late capture of a charge: one for each of its payments. */
export function deriveLateCaptureRecordingId(paymentId: string): string {
  return `record_late_capture ${paymentId}`;
}

/** The command by which a subscription records a refund: one for each refund of its payments. */
export function deriveRefundRecordingId(refunded: {
  readonly paymentId: string;
  readonly paymentRevision: number;
}): string {
  return `record_refund ${refunded.paymentId}/${refunded.paymentRevision}`;
}

/** The command by which a subscription is asked for a change: one for each attempt on a change link. */
export function deriveChangeRequestId(paymentId: string): string {
  return `request_change ${paymentId}`;
}

/** The claim of an attempt on a checkout link on its player's plans. */
export function deriveLinkClaimId(linkId: string, attempt: number): string {
  return `${linkId}/${attempt}`;
}

/** The claim of a change that waits for the end of the period, by the call that asked for it. */
export function deriveScheduledClaimId(subscriptionId: string, call: string): string {
  return `${subscriptionId}/${call}`;
}

/**
 * The stream of a row of a gateway's account, by the gateway's own id of it: a second import finds the first. No instant
 * is in it, since a row whose time differs is the same row.
 */
export function deriveSettlementId(appId: string, transactionId: string): string {
  return deriveId('stl', EPOCH, readBucket(appId), `${appId}/${transactionId}`);
}

/** The command by which a plan is claimed: one for each claim. */
export function deriveClaimCommandId(claimId: string): string {
  return `claim_plan ${claimId}`;
}
