import { deriveLateCaptureRecordingId } from '../ids/index.js';
import {
  changesSubscription,
  findSubscriptionId,
  paymentAggregate,
  renewsSubscription,
} from '../payment/index.js';
import { renewalLines, subscriptionAggregate } from '../subscription/index.js';
import { defineRoutes, type ProcessRoute } from './process-route.js';
import { chargeStep, onSubscription, returnLate } from './steps.js';

/** From a due date to the next period: asked for, charged, settled (rules/lifecycle 8). */
export const RENEWAL_ROUTES: readonly ProcessRoute[] = [
  // A renewal or a retry is due: it is charged with the tax rate in force on its due date (rules/payments 8).
  ...defineRoutes({
    on: ['subscription.renewal_requested.v1'],
    process: 'charge_on_renewal_request',
    stream: subscriptionAggregate,
    needs: ['taxRates'],
    decide: ({ data: requested, state: subscription, taxRates }) => {
      const { paymentId, period, attempt, graceEndsAt } = requested;
      const { subscriptionId, appId, player, checkoutLinkId, regionCode } = subscription;
      const { paymentMethod, personal } = subscription;
      const charge = {
        ...{ paymentId, appId, player, checkoutLinkId, regionCode },
        purpose: { kind: 'subscription_period', subscriptionId, period, attempt } as const,
        lines: renewalLines(subscription, period, taxRates),
        ...{ paymentMethod, personal },
      };
      return [chargeStep(charge, { clock: 'app', at: graceEndsAt })];
    },
  }),
  // The gateway has answered, or the charge was given up: the subscription moves on, becomes past due, or ends.
  ...defineRoutes({
    on: ['payment.captured.v1', 'payment.declined.v1', 'payment.given_up.v1'],
    process: 'settle_on_renewal_outcome',
    stream: paymentAggregate,
    needs: ['dunning'],
    // A subscription waits no more for the capture of a renewal that was given up.
    when: ({ purpose, givenUp, capturedAt }) =>
      renewsSubscription(purpose) && (givenUp === null || capturedAt === null),
    decide: ({ state, revision: paymentRevision, dunning }) => {
      const { paymentId, purpose, decline, givenUp, updatedAt: now } = state;
      const outcome = givenUp === null ? (decline ?? 'captured') : 'given_up';
      const settled = { paymentId, paymentRevision, outcome, dunning, now } as const;
      return [onSubscription(findSubscriptionId(purpose), { kind: 'SettleRenewal', ...settled })];
    },
  }),
  // A renewal, or a change, that had been given up was captured after all: it is for no period, and goes back.
  ...defineRoutes({
    on: ['payment.captured.v1'],
    process: 'record_late_capture_of_renewal',
    stream: paymentAggregate,
    when: ({ purpose, givenUp }) =>
      givenUp !== null && (renewsSubscription(purpose) || changesSubscription(purpose)),
    decide: ({ data: { capturedAt: now }, state, revision: paymentRevision }) => {
      const { paymentId, purpose } = state;
      const command = { kind: 'RecordLateCapture', paymentId, paymentRevision, now } as const;
      const commandId = deriveLateCaptureRecordingId(paymentId);
      return [onSubscription(findSubscriptionId(purpose), command, commandId)];
    },
  }),
  // A charge was captured after the subscription had ended: the player gets the money back.
  ...defineRoutes({
    on: ['subscription.late_outcome_recorded.v1'],
    process: 'refund_on_late_renewal_capture',
    decide: ({ data: { paymentId, captured, recordedAt } }) =>
      captured ? [returnLate(paymentId, recordedAt)] : [],
  }),
];
