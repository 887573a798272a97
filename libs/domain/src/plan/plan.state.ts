import { unknownEvent } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { Money } from '../money/index.js';
import type { PlanCreated, PlanEvent } from './plan.events.js';

export const PLAN_STATUSES = ['active', 'archived', 'deprecated'] as const;
export type PlanStatus = (typeof PLAN_STATUSES)[number];

/** The status that each event leads to; a plan may go from any of the three to any other. */
const STATUS_AFTER = {
  'plan.archived.v1': 'archived',
  'plan.deprecated.v1': 'deprecated',
  'plan.activated.v1': 'active',
} as const satisfies Record<string, PlanStatus>;

type PlanFields = PlanCreated['data'];

export interface CreatedPlan extends PlanFields {
  readonly status: PlanStatus;
  readonly updatedAt: Instant;
}

/** An abandoned plan is like one that was never created, except that it cannot be created any more. */
export type Plan = { readonly status: 'none'; readonly isAbandoned: boolean } | CreatedPlan;

export const noPlan: Plan = { status: 'none', isAbandoned: false };

/** Folds one event of a plan. */
export function evolvePlan(state: Plan, event: PlanEvent): Plan {
  if (event.type === 'plan.created.v1') {
    if (state.status !== 'none' || state.isAbandoned) return state;
    return { ...event.data, status: 'active', updatedAt: event.data.createdAt };
  }
  if (event.type === 'plan.abandoned.v1') {
    return state.status === 'none' ? { status: 'none', isAbandoned: true } : state;
  }
  if (state.status === 'none') return state;
  switch (event.type) {
    case 'plan.revised.v1': {
      const { revisedAt, ...changes } = event.data;
      return { ...state, ...changes, updatedAt: revisedAt };
    }
    case 'plan.archived.v1':
    case 'plan.deprecated.v1':
    case 'plan.activated.v1':
      return { ...state, status: STATUS_AFTER[event.type], updatedAt: event.data.changedAt };
    default:
      return unknownEvent(state, event);
  }
}

/** Whether a player may buy the plan now: active, and inside its window (rules/api 17). */
export function isAvailable(plan: Plan, now: Instant): plan is CreatedPlan {
  if (plan.status !== 'active') return false;
  if (plan.availableFrom !== null && now < plan.availableFrom) return false;
  return plan.availableUntil === null || now < plan.availableUntil;
}

/** The plan's price in a currency, if it has one. */
export function priceIn(plan: CreatedPlan, currency: string): Money | undefined {
  return plan.prices.find((price) => price.currency === currency);
}
