import { toMajor } from '#domain/money';
import { sumLines, totalTax } from '#domain/payment';
import type { StudioNames } from '#domain/personal-data';
import {
  accessEndsAt,
  type CurrencyChangeScheduled,
  nextBillingDate,
  type StartedSubscription,
} from '#domain/subscription';

/** The subscription object (rules/lifecycle 10): the same in REST answers and in webhooks. */
export interface WireSubscription {
  readonly id: string;
  readonly external_account_id: string;
  /** Empty where the studio gave none. */
  readonly reference_id: string;
  readonly plan_id: string;
  readonly status: string;
  readonly period: { readonly value: number; readonly unit: string };
  readonly trial_end: string | null;
  readonly access_end_date: string;
  readonly current_period_end: string;
  readonly next_billing_date: string;
  readonly cancel_at_period_end: boolean;
  readonly canceled_at: string | null;
  readonly created_at: string;
  /** Where the player lives: tax goes by it. Empty where no region is known. */
  readonly region_code: string;
}

/** Renders a subscription in the order of rules/lifecycle 10. */
export function renderSubscription(
  state: StartedSubscription,
  { accountId, referenceId = '' }: StudioNames,
): WireSubscription {
  return {
    id: state.subscriptionId,
    external_account_id: accountId,
    reference_id: referenceId,
    plan_id: state.planId,
    status: state.status,
    period: { value: state.period.value, unit: state.period.unit },
    trial_end: state.trialEnd,
    access_end_date: accessEndsAt(state),
    current_period_end: state.currentPeriodEnd,
    next_billing_date: nextBillingDate(state),
    cancel_at_period_end: state.cancelAtPeriodEnd,
    canceled_at: state.canceledAt,
    created_at: state.createdAt,
    region_code: state.regionCode,
  };
}

/** The first charge in another currency: amounts in major units, as a payment's webhooks have them. */
export function renderCurrencyChange({ effectiveAt, lines }: CurrencyChangeScheduled['data']) {
  const total = sumLines(lines);
  const tax = totalTax(lines);
  return {
    effective_at: effectiveAt,
    currency: total.currency,
    total: toMajor(total),
    ...(tax !== null && { tax: toMajor(tax.amount) }),
  };
}
