import type { Aggregate } from '../decider/index.js';
import { type PlanCommand, planDecider, type PlanRejection } from './plan.decide.js';
import type { PlanEvent } from './plan.events.js';
import type { Plan } from './plan.state.js';

export {
  planCodeAggregate,
  planCodeId,
  type PlanCodeRejection,
  type PlanCodeReserved,
} from './plan-code.js';
export { calendarViolations, type PlanCommand, type PlanRejection } from './plan.decide.js';
export type { PlanEvent, PlanTerms } from './plan.events.js';
export {
  type CreatedPlan,
  isAvailable,
  type Plan,
  PLAN_STATUSES,
  type PlanStatus,
  priceIn,
} from './plan.state.js';

export const planAggregate: Aggregate<Plan, PlanCommand, PlanEvent, PlanRejection> = {
  category: 'plan',
  decider: planDecider,
};
