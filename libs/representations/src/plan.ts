import type { CreatedPlan } from '#domain/plan';

/** A plan as callers see it: all fields always there, `""` for an unset one (rules/api 9). */
export interface WirePlan {
  readonly id: string;
  readonly segmentId: string;
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly billingPeriodValue: string;
  readonly billingPeriodUnit: string;
  readonly prices: { readonly currency: string; readonly amountCents: string }[];
  readonly trialPeriodValue: string;
  readonly trialPeriodUnit: string;
  readonly benefitsJson: string;
  readonly trialOncePerPlayer: boolean;
  readonly onePerPlayer: boolean;
  readonly exclusiveGroup: string;
  readonly status: string;
  readonly availableFrom: string;
  readonly availableUntil: string;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Renders a plan in the order of rules/api 17. */
export function renderPlan(state: CreatedPlan): WirePlan {
  return {
    id: state.planId,
    segmentId: state.segmentId,
    code: state.code,
    name: state.name,
    description: state.description,
    billingPeriodValue: String(state.billingPeriod.value),
    billingPeriodUnit: state.billingPeriod.unit,
    prices: state.prices.map(({ currency, amountMinor }) => ({
      currency,
      amountCents: amountMinor,
    })),
    trialPeriodValue: state.trial === null ? '' : String(state.trial.value),
    trialPeriodUnit: state.trial?.unit ?? '',
    benefitsJson: state.benefitsJson,
    trialOncePerPlayer: state.trialOncePerPlayer,
    onePerPlayer: state.onePerPlayer,
    exclusiveGroup: state.exclusiveGroup,
    status: state.status,
    availableFrom: state.availableFrom ?? '',
    availableUntil: state.availableUntil ?? '',
    createdAt: state.createdAt,
    updatedAt: state.updatedAt,
  };
}

/** The same as JSON. */
export function printPlan(state: CreatedPlan): string {
  return JSON.stringify(renderPlan(state));
}
