import type { Interval, Period } from '../calendar/index.js';

/** One period of a subscription, counted from 1; a trial is its first one. */
export interface BillingPeriod extends Interval {
  readonly number: number;
}

/**
 * A period of a subscription is paid. The first one is paid by its checkout before the subscription is
 * there: its interval is as the attempt foresees it, until the capture, with which it begins (decision 0019).
 */
export interface SubscriptionPeriodPurpose {
  readonly kind: 'subscription_period';
  readonly subscriptionId: string;
  readonly period: BillingPeriod;
  /** How long the period is that begins with the capture; absent where its dates are settled before. */
  readonly length?: Period;
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

/** A player pays an order on the page of its link (rules/orders 2). */
export interface OrderPurpose {
  readonly kind: 'order';
  readonly orderId: string;
  /** Which attempt to pay the order this is, counted from 1. */
  readonly attempt: number;
}

type SubscriptionPurpose = SubscriptionPeriodPurpose | SubscriptionChangePurpose;

/** The purpose of a payment. Only kinds that are charged are listed. */
export type PaymentPurpose = SubscriptionPurpose | OrderPurpose;

/** The purpose of a subscription's payment without its dates. */
interface SubscriptionPurposeOutline extends Omit<SubscriptionPurpose, 'period'> {
  readonly period: Pick<BillingPeriod, 'number'>;
}

/** A purpose without its dates, on which its meaning does not depend. */
export type PurposeOutline = SubscriptionPurposeOutline | OrderPurpose;

/** The subscription that a payment is for; empty where it is for an order. */
export function findSubscriptionId(purpose: PurposeOutline): string {
  return purpose.kind === 'order' ? '' : purpose.subscriptionId;
}

/** The order that a payment is for; empty where it is for a subscription. */
export function findOrderId(purpose: PurposeOutline): string {
  return purpose.kind === 'order' ? purpose.orderId : '';
}

/** The payment's reference in the gateway's books: the subscription, or the order. */
export function findReference(purpose: PurposeOutline): string {
  return findSubscriptionId(purpose) || findOrderId(purpose);
}

/** Whether an order asked for the payment, and waits for its outcome. */
export function paysOrder({ kind }: PurposeOutline): boolean {
  return kind === 'order';
}

/** Whether the payment starts a subscription: a checkout asked for it and waits for its outcome. */
export function startsSubscription(purpose: PurposeOutline): boolean {
  return purpose.kind === 'subscription_period' && purpose.period.number === 1;
}

/** Whether a running subscription asked for the payment, for a later period. */
export function renewsSubscription(purpose: PurposeOutline): boolean {
  return purpose.kind === 'subscription_period' && purpose.period.number > 1;
}

/** Whether a player asked for the payment, to change a running subscription. */
export function changesSubscription({ kind }: PurposeOutline): boolean {
  return kind === 'plan_change' || kind === 'payment_method_update';
}

/** Whether the charge is made without the player, as banks want to know. */
export function isOffSession(purpose: PurposeOutline): boolean {
  return renewsSubscription(purpose);
}
