import type { Interval } from '../calendar/index.js';

/** One period of a subscription, counted from 1; a trial is its first one. */
export interface BillingPeriod extends Interval {
  readonly number: number;
}

/**
 * A period of a subscription is paid. The first one is paid by its checkout before the subscription is
 * there: its interval is as the attempt foresees it, and begins in fact with the capture (decision 0073).
 */
export interface SubscriptionPeriodPurpose {
  readonly kind: 'subscription_period';
  readonly subscriptionId: string;
  readonly period: BillingPeriod;
  /** Which attempt to pay the period this is, counted from 1. */
  readonly attempt: number;
}

/**
 * What a payment is for. Only kinds that are charged are listed: a plan change, an update of the
 * payment method and an order become kinds of their own, and the compiler then asks for their cases.
 */
export type PaymentPurpose = SubscriptionPeriodPurpose;

/** Whether the payment starts a subscription: a checkout asked for it and waits for its outcome. */
export function startsSubscription({ period }: PaymentPurpose): boolean {
  return period.number === 1;
}
