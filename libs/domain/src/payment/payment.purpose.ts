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
 * A player has changed the plan, or has paid an open period by another method, on the page of a link
 * (rules/lifecycle 11).
 */
interface SubscriptionChangePurpose {
  readonly kind: 'plan_change' | 'payment_method_update';
  readonly subscriptionId: string;
  /** The period that is open or was changed. */
  readonly period: BillingPeriod;
  /** Which attempt on the link this is, counted from 1. */
  readonly attempt: number;
}

/**
 * What a payment is for. Only kinds that are charged are listed: an order becomes a kind of its own. What a
 * kind means stands in a table by kind: the compiler then asks for its row.
 */
export type PaymentPurpose = SubscriptionPeriodPurpose | SubscriptionChangePurpose;

/** A purpose without its dates: what it means does not depend on them. */
export interface PurposeOutline extends Omit<PaymentPurpose, 'period'> {
  readonly period: Pick<BillingPeriod, 'number'>;
}

interface PurposeTraits {
  /** A checkout asked for it and waits for its outcome. */
  readonly startsSubscription: boolean;
  /** A running subscription asked for it and waits for its outcome. */
  readonly renewsSubscription: boolean;
  /** A player asked a running subscription for it, which waits for its outcome. */
  readonly changesSubscription: boolean;
  /** The charge is made without the player, as banks want to know. */
  readonly isOffSession: boolean;
}

const CHANGE: PurposeTraits = {
  startsSubscription: false,
  renewsSubscription: false,
  changesSubscription: true,
  isOffSession: false,
};

const TRAITS: Readonly<Record<PaymentPurpose['kind'], (purpose: PurposeOutline) => PurposeTraits>> =
  {
    subscription_period: ({ period: { number } }) => ({
      startsSubscription: number === 1,
      renewsSubscription: number > 1,
      changesSubscription: false,
      isOffSession: number > 1,
    }),
    plan_change: () => CHANGE,
    payment_method_update: () => CHANGE,
  };

/** Whether the payment starts a subscription: a checkout asked for it and waits for its outcome. */
export function startsSubscription(purpose: PurposeOutline): boolean {
  return TRAITS[purpose.kind](purpose).startsSubscription;
}

/** Whether a running subscription asked for the payment, for a later period. */
export function renewsSubscription(purpose: PurposeOutline): boolean {
  return TRAITS[purpose.kind](purpose).renewsSubscription;
}

/** Whether a player asked for the payment, to change a running subscription. */
export function changesSubscription(purpose: PurposeOutline): boolean {
  return TRAITS[purpose.kind](purpose).changesSubscription;
}

/** Whether the charge is made without the player, as banks want to know. */
export function isOffSession(purpose: PurposeOutline): boolean {
  return TRAITS[purpose.kind](purpose).isOffSession;
}
