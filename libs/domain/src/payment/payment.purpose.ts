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
 * payment method and an order become kinds of their own. What a kind
 * means stands in a table by kind: the compiler then asks for its row.
 */
export type PaymentPurpose = SubscriptionPeriodPurpose;

/** A purpose without its dates: what it means does not depend on them. */
export type PurposeOutline = Omit<PaymentPurpose, 'period'> & {
  readonly period: Pick<BillingPeriod, 'number'>;
};

interface PurposeTraits {
  /** A checkout asked for it and waits for its outcome. */
  readonly startsSubscription: boolean;
  /** A running subscription asked for it and waits for its outcome. */
  readonly renewsSubscription: boolean;
  /** The charge is made without the player, as banks want to know. */
  readonly isOffSession: boolean;
}

const TRAITS: Readonly<Record<PaymentPurpose['kind'], (purpose: PurposeOutline) => PurposeTraits>> =
  {
    subscription_period: ({ period: { number } }) => ({
      startsSubscription: number === 1,
      renewsSubscription: number > 1,
      isOffSession: number > 1,
    }),
  };

/** Whether the payment starts a subscription: a checkout asked for it and waits for its outcome. */
export function startsSubscription(purpose: PurposeOutline): boolean {
  return TRAITS[purpose.kind](purpose).startsSubscription;
}

/** Whether a running subscription asked for the payment, for a later period. */
export function renewsSubscription(purpose: PurposeOutline): boolean {
  return TRAITS[purpose.kind](purpose).renewsSubscription;
}

/** Whether the charge is made without the player, as banks want to know. */
export function isOffSession(purpose: PurposeOutline): boolean {
  return TRAITS[purpose.kind](purpose).isOffSession;
}
