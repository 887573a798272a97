import type { Instant } from '../event/index.js';
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

type Disputed = Pick<ProcessInput<DisputeOpened, RequestedPayment>, 'state' | 'revision'>;

/** A payment of a subscription is disputed: the subscription's stream notes it, once. */
export function recordOpenedDispute({
  data: { openedAt: now },
  ...input
}: ProcessInput<DisputeOpened, RequestedPayment>): ProcessStep[] {
  return recordDispute(input, { closed: false, endsSubscription: false, now });
}

/** A dispute of it was decided. Lost, it ends the subscription where the app wants that (rules/lifecycle 12). */
export function recordClosedDispute({
  data: { won, closedAt: now },
  onLostDispute,
  ...input
}: ProcessInput<DisputeClosed, RequestedPayment, 'onLostDispute'>): ProcessStep[] {
  const endsSubscription = !won && onLostDispute === 'end';
  return recordDispute(input, { closed: true, endsSubscription, now });
}

function recordDispute(
  { state: { paymentId, purpose }, revision: paymentRevision }: Disputed,
  command: { readonly closed: boolean; readonly endsSubscription: boolean; readonly now: Instant },
): ProcessStep[] {
  const noted = { paymentId, paymentRevision };
  const record = { kind: 'RecordDispute', ...noted, ...command } as const;
  const commandId = deriveDisputeRecordingId(noted);
  const id = findSubscriptionId(purpose);
  return [{ kind: 'subscription', id, command: record, commandId }];
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
