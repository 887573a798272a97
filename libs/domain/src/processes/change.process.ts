import {
  type ChangeAttempted,
  checkoutLinkAggregate,
  type CreatedCheckoutLink,
  findClaim,
} from '../checkout-link/index.js';
import { deriveChangeRequestId } from '../ids/index.js';
import {
  changesSubscription,
  type Decline,
  findSubscriptionId,
  paymentAggregate,
} from '../payment/index.js';
import type { TaxRates } from '../pricing/index.js';
import { changeEndsAt, subscriptionAggregate } from '../subscription/index.js';
import { defineRoutes, type ProcessRoute } from './process-route.js';
import { chargeStep, claimStep, onLink, onSubscription, type ProcessStep } from './steps.js';

/** The page's offer cannot be had any more, or not at the price that was shown. */
const REFUSED: Decline = {
  reason: 'processing_error',
  declineClass: 'unknown',
  rawDeclineCode: '',
};

/**
 * From the player's click on the page of a change link to the changed subscription (rules/lifecycle 11):
 * attempted, asked of the subscription, charged, changed, then the link is used up. A plan that is bounded for a player
 * is claimed first (rules/lifecycle 15).
 */
export const CHANGE_ROUTES: readonly ProcessRoute[] = [
  // The player agrees: the subscription decides the present price, or that the plan cannot be had any more.
  ...defineRoutes({
    on: ['checkout_link.change_attempted.v1'],
    process: 'request_on_change_attempt',
    stream: checkoutLinkAggregate,
    needs: ['taxRates'],
    decide: ({ data, state: link, taxRates }) => {
      const claim = findClaim(link, data);
      if (claim !== null) return [claimStep(link.player, claim, data.attemptedAt)];
      return requestChange(link, data, { taxRates });
    },
  }),
  // A change is to be paid for: its amount is charged.
  ...defineRoutes({
    on: ['subscription.change_requested.v1'],
    process: 'charge_on_change_request',
    stream: subscriptionAggregate,
    decide: ({ data: requested, state }) => {
      const { subscriptionId, appId, player, regionCode, personal } = state;
      const { paymentId, linkId: checkoutLinkId, plan, period, attempt } = requested;
      const { lines, paymentMethod } = requested;
      const kind = plan === null ? 'payment_method_update' : 'plan_change';
      const charge = {
        ...{ paymentId, appId, player, checkoutLinkId, regionCode, lines, paymentMethod },
        purpose: { kind, subscriptionId, period, attempt } as const,
        personal,
      };
      return [chargeStep(charge, { clock: 'app', at: changeEndsAt(requested) })];
    },
  }),
  // The gateway has answered for a change, or it was given up: the subscription changes, or stays as it was.
  ...defineRoutes({
    on: ['payment.captured.v1', 'payment.declined.v1', 'payment.given_up.v1'],
    process: 'settle_on_change_outcome',
    stream: paymentAggregate,
    // A subscription waits no more for the capture of a change that was given up.
    when: ({ purpose, givenUp, capturedAt }) =>
      changesSubscription(purpose) && (givenUp === null || capturedAt === null),
    decide: ({ state, revision: paymentRevision }) => {
      const { paymentId, purpose, decline, updatedAt: now } = state;
      const settled = { paymentId, paymentRevision, outcome: decline ?? 'captured', now } as const;
      return [onSubscription(findSubscriptionId(purpose), { kind: 'SettleChange', ...settled })];
    },
  }),
  // The subscription has changed: the link by which it was agreed to is used up.
  ...defineRoutes({
    on: ['subscription.plan_changed.v1', 'subscription.payment_method_changed.v1'],
    process: 'complete_link_on_change',
    stream: subscriptionAggregate,
    decide: ({ data: { linkId, changedAt: now }, state: { subscriptionId } }) =>
      linkId === '' ? [] : [onLink(linkId, { kind: 'CompleteCheckout', subscriptionId, now })],
  }),
  // The charge of a change was declined: its link is open again.
  ...defineRoutes({
    on: ['subscription.change_declined.v1'],
    process: 'reopen_link_on_change_decline',
    decide: ({ data: { linkId, paymentId, reason, declineClass, failedAt: now } }) => {
      const decline = { reason, declineClass, rawDeclineCode: '' };
      return [onLink(linkId, { kind: 'DeclineCheckout', paymentId, decline, now })];
    },
  }),
  // The subscription has refused: the link is open again, and its page shows the present offer.
  ...defineRoutes({
    on: ['subscription.change_refused.v1'],
    process: 'reopen_link_on_change_refusal',
    decide: ({ data: { linkId, paymentId, refusedAt: now } }) => [
      onLink(linkId, { kind: 'DeclineCheckout', paymentId, decline: REFUSED, now }),
    ],
  }),
];

/** Nothing stands in the way of an attempt any more: its subscription is asked. */
export function requestChange(
  { linkId, offer, change }: CreatedCheckoutLink,
  attempted: ChangeAttempted['data'],
  agreement: { readonly taxRates: TaxRates; readonly claimId?: string },
): ProcessStep[] {
  const { attempt, paymentId, paymentMethod, subscriptionId } = attempted;
  const { shown, quotedAt, attemptedAt: now } = attempted;
  const { planId, price, period } = offer;
  const wanted = {
    plan: change?.kind === 'plan' ? { planId, price, period } : null,
    amountMinor: change?.amountMinor ?? null,
    restartsPeriod: change?.restartsPeriod ?? false,
    unusedCredit: change?.unusedCredit ?? 'forfeit',
  };
  const payer = { linkId, attempt, paymentId, paymentMethod };
  const agreed = { wanted, shown, quotedAt, now, ...agreement };
  const commandId = deriveChangeRequestId(paymentId);
  return [
    onSubscription(subscriptionId, { kind: 'RequestChange', ...payer, ...agreed }, commandId),
  ];
}
