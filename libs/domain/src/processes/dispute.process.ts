import { deriveDisputeRecordingId } from '../ids/index.js';
import {
  type DisputeClosed,
  type DisputeOpened,
  findSubscriptionId,
  type RequestedPayment,
} from '../payment/index.js';
import type { DisputeRecorded, StartedSubscription } from '../subscription/index.js';
import type { ProcessInput } from './process-route.js';
import { returnLate } from './refund.process.js';
import type { ProcessStep } from './steps.js';

/** A payment of a subscription is disputed, or no longer: the subscription's stream notes it, once. */
export function recordDisputeOnDispute({
  data,
  state: { paymentId, purpose },
  revision: paymentRevision,
}: ProcessInput<DisputeOpened | DisputeClosed, RequestedPayment>): ProcessStep[] {
  const closed = 'closedAt' in data;
  const now = closed ? data.closedAt : data.openedAt;
  const noted = { paymentId, paymentRevision };
  const command = { kind: 'RecordDispute', ...noted, closed, now } as const;
  const commandId = deriveDisputeRecordingId(noted);
  return [{ kind: 'subscription', id: findSubscriptionId(purpose), command, commandId }];
}

/** Whether a payment buys nothing, and so goes back by itself (rules/payments 6). */
export function isUnapplied({ unappliedAt }: RequestedPayment): boolean {
  return unappliedAt !== null;
}

/** A payment that buys nothing was not given back while it was disputed: it is, where the dispute left any of it. */
export function returnOnClosedDispute({
  data: { closedAt: now },
  state: { paymentId },
}: ProcessInput<DisputeClosed, RequestedPayment>): ProcessStep[] {
  return [returnLate(paymentId, now)];
}

/** The same of a payment that was captured too late for its subscription, which knows of it. */
export function returnLateOnClosedDispute({
  data: { paymentId, closed, recordedAt: now },
  state: { lateCaptures },
}: ProcessInput<DisputeRecorded, StartedSubscription>): ProcessStep[] {
  return closed && lateCaptures.includes(paymentId) ? [returnLate(paymentId, now)] : [];
}
