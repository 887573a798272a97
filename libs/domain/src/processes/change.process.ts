import {
  type ChangeAttempted,
  type CreatedCheckoutLink,
  findClaim,
} from '../checkout-link/index.js';
import { deriveChangeRequestId } from '../ids/index.js';
import {
  changesSubscription,
  type Decline,
  findSubscriptionId,
  type PaymentCaptured,
  type PaymentDeclined,
  type PaymentGivenUp,
  type RequestedPayment,
} from '../payment/index.js';
import type { TaxRates } from '../pricing/index.js';
import {
  type ChangeDeclined,
  changeEndsAt,
  type ChangeRefused,
  type ChangeRequested,
  type PaymentMethodChanged,
  type PlanChanged,
  type StartedSubscription,
} from '../subscription/index.js';
import { chargeStep } from './charge-step.js';
import { claimStep } from './claim-step.js';
import type { ProcessInput } from './process-route.js';
import type { ProcessStep } from './steps.js';

/**
 * From the player's click on the page of a change link to the changed subscription (rules/lifecycle 11):
 * attempted, asked of the subscription, charged, changed, then the link is used up. A plan that is bounded for a player
 * is claimed first (rules/lifecycle 15).
 */

/** Whether a change asked for this payment: its outcome goes to the subscription. */
export function isChange({ purpose }: RequestedPayment): boolean {
  return changesSubscription(purpose);
}

/** Whether a change has its outcome while its subscription waits for it. */
export function isTimelyChange(payment: RequestedPayment): boolean {
  return isChange(payment) && payment.givenUp === null;
}

/** The player agrees: the subscription decides the present price, or that the plan cannot be had any more. */
export function requestOnChangeAttempt({
  data,
  state: link,
  taxRates,
}: ProcessInput<ChangeAttempted, CreatedCheckoutLink, 'taxRates'>): ProcessStep[] {
  const claim = findClaim(link, data);
  if (claim !== null) return [claimStep(link.player, claim, data.attemptedAt)];
  return requestChange(link, data, { taxRates });
}

/** Nothing stands in the way of an attempt any more: its subscription is asked. */
export function requestChange(
  { linkId, offer, change }: CreatedCheckoutLink,
  attempted: ChangeAttempted['data'],
  { taxRates, claimId }: { readonly taxRates: TaxRates; readonly claimId?: string },
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
  const claimed = claimId === undefined ? {} : { claimId };
  const agreed = { wanted, shown, quotedAt, taxRates, now, ...claimed };
  const command = { kind: 'RequestChange', ...payer, ...agreed } as const;
  const commandId = deriveChangeRequestId(paymentId);
  return [{ kind: 'subscription', id: subscriptionId, command, commandId }];
}

/** A change is to be paid for: charge its amount. */
export function chargeOnChangeRequest({
  data: requested,
  state: { subscriptionId, appId, player, personal },
}: ProcessInput<ChangeRequested, StartedSubscription>): ProcessStep[] {
  const { paymentId, linkId, plan, period, attempt, lines, paymentMethod } = requested;
  const kind = plan === null ? 'payment_method_update' : 'plan_change';
  return [
    chargeStep(
      {
        ...{ paymentId, appId, player, checkoutLinkId: linkId, lines, paymentMethod },
        purpose: { kind, subscriptionId, period, attempt },
        personal,
      },
      { clock: 'app', at: changeEndsAt(requested) },
    ),
  ];
}

/** The gateway has answered for a change, or it was given up: the subscription changes, or stays as it was. */
export function settleOnChangeOutcome({
  state: { paymentId, purpose, decline, updatedAt: now },
  revision: paymentRevision,
}: ProcessInput<
  PaymentCaptured | PaymentDeclined | PaymentGivenUp,
  RequestedPayment
>): ProcessStep[] {
  const outcome = decline ?? 'captured';
  const command = { kind: 'SettleChange', paymentId, paymentRevision, outcome, now } as const;
  return [{ kind: 'subscription', id: findSubscriptionId(purpose), command }];
}

/** The subscription has changed: the link by which it was agreed to is used up. */
export function completeLinkOnChange({
  data: { linkId, changedAt: now },
  state: { subscriptionId },
}: ProcessInput<PlanChanged | PaymentMethodChanged, StartedSubscription>): ProcessStep[] {
  if (linkId === '') return [];
  const command = { kind: 'CompleteCheckout', subscriptionId, now } as const;
  return [{ kind: 'checkout_link', id: linkId, command }];
}

/** The charge of a change was declined: its link is open again. */
export function reopenLinkOnChangeDecline({
  data: { linkId, paymentId, reason, declineClass, failedAt: now },
}: ProcessInput<ChangeDeclined>): ProcessStep[] {
  const decline = { reason, declineClass, rawDeclineCode: '' };
  const command = { kind: 'DeclineCheckout', paymentId, decline, now } as const;
  return [{ kind: 'checkout_link', id: linkId, command }];
}

/** The page's offer cannot be had any more, or not at the price that was shown. */
const REFUSED: Decline = {
  reason: 'processing_error',
  declineClass: 'unknown',
  rawDeclineCode: '',
};

/** The subscription has refused: the link is open again, and its page shows the present offer. */
export function reopenLinkOnChangeRefusal({
  data: { linkId, paymentId, refusedAt: now },
}: ProcessInput<ChangeRefused>): ProcessStep[] {
  const command = { kind: 'DeclineCheckout', paymentId, decline: REFUSED, now } as const;
  return [{ kind: 'checkout_link', id: linkId, command }];
}
