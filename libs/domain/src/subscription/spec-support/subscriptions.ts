import { DEFAULT_DUNNING, type RetrySchedule } from '../../dunning/index.js';
import { derivePeriodPaymentId } from '../../ids/index.js';
import type { NotedPayment } from '../../payment/index.js';
import type {
  RenewalFailed,
  RenewalRequested,
  SubscriptionCanceled,
  SubscriptionCreated,
  SubscriptionRenewed,
  SubscriptionTerms,
} from '../subscription.events.js';

/** One monthly subscription for the specs, bought on 31 January: its dates show every clamping. */
export const terms: SubscriptionTerms = {
  subscriptionId: 'sub_1',
  appId: 'app_1',
  player: '5f2a9c04d1e84b7796ab30c2d4e5f601',
  planId: 'plan_1',
  price: { amountMinor: '999', currency: 'USD' },
  period: { value: 1, unit: 'month' },
  trial: null,
  paymentMethod: 'pm_ok',
  checkoutLinkId: 'link_1',
  regionCode: 'US',
  personal: {},
};

export const BOUGHT = '2027-01-31T10:00:00.000Z';
export const FIRST_DUE = '2027-02-28T10:00:00.000Z';
export const SECOND_DUE = '2027-03-31T10:00:00.000Z';
export const TRIAL_END = '2027-02-07T10:00:00.000Z';

/** The instant that lies some hours after another. */
export function hoursAfter(instant: string, hours: number): string {
  return new Date(Date.parse(instant) + hours * 3_600_000).toISOString();
}

export const created: SubscriptionCreated = {
  type: 'subscription.created.v2',
  data: {
    ...terms,
    createdAt: BOUGHT,
    billingAnchor: BOUGHT,
    currentPeriodEnd: FIRST_DUE,
    trialEnd: null,
    initialPayment: noted('pay_0'),
  },
};

export const createdOnTrial: SubscriptionCreated = {
  type: 'subscription.created.v2',
  data: {
    ...terms,
    trial: { value: 1, unit: 'week' },
    createdAt: BOUGHT,
    billingAnchor: TRIAL_END,
    currentPeriodEnd: TRIAL_END,
    trialEnd: TRIAL_END,
    initialPayment: null,
  },
};

/** A payment as the specs note it: at its outcome, its second event. */
export function noted(paymentId: string): NotedPayment {
  return { paymentId, paymentRevision: 1 };
}

/** The id of the charge of a due date and attempt. */
export function paymentIdFor(dueAt: string, attempt: number): string {
  return derivePeriodPaymentId(terms.subscriptionId, { dueAt, attempt });
}

export function requested(attempt = 1, requestedAt = FIRST_DUE): RenewalRequested {
  const paymentId = paymentIdFor(FIRST_DUE, attempt);
  const period = { number: 2, start: FIRST_DUE, end: SECOND_DUE };
  const graceEndsAt = hoursAfter(FIRST_DUE, 48);
  // A retry has an hour at least, also at the end of grace.
  const retryEndsAt = attempt === 1 ? graceEndsAt : hoursAfter(requestedAt, 1);
  const times = {
    requestedAt,
    graceEndsAt: retryEndsAt > graceEndsAt ? retryEndsAt : graceEndsAt,
  };
  const data = { paymentId, period, attempt, amount: terms.price, ...times };
  return { type: 'subscription.renewal_requested.v1', data };
}

export function renewed(attempt = 1, renewedAt = FIRST_DUE): SubscriptionRenewed {
  const paymentId = paymentIdFor(FIRST_DUE, attempt);
  const data = { ...noted(paymentId), dueAt: FIRST_DUE, renewedAt, currentPeriodEnd: SECOND_DUE };
  return { type: 'subscription.renewed.v1', data };
}

/** A declined attempt, by default under the default dunning: soft, retried after 24 h and 48 h. */
export function failed(attempt = 1, details: Partial<RenewalFailed['data']> = {}): RenewalFailed {
  return {
    type: 'subscription.renewal_failed.v2',
    data: {
      ...noted(paymentIdFor(FIRST_DUE, attempt)),
      dueAt: FIRST_DUE,
      attempt,
      reason: 'insufficient_funds',
      declineClass: 'soft',
      failedAt: hoursAfter(FIRST_DUE, 24 * (attempt - 1)),
      graceEndsAt: hoursAfter(FIRST_DUE, 48),
      nextRetryAt: attempt < 3 ? hoursAfter(FIRST_DUE, 24 * attempt) : null,
      schedule: scheduleAfter(attempt),
      ...details,
    },
  };
}

/** The default dunning's remaining schedule after an attempt that was made when it was due. */
function scheduleAfter(attempt: number): RetrySchedule {
  const retriesAt = [24, 48].slice(attempt - 1).map((hours) => hoursAfter(FIRST_DUE, hours));
  return { retriesAt, retriedDeclineClasses: DEFAULT_DUNNING.retriedDeclineClasses };
}

export function canceled(canceledAt: string, accessEndsAt = FIRST_DUE): SubscriptionCanceled {
  return { type: 'subscription.canceled.v1', data: { canceledAt, accessEndsAt } };
}
