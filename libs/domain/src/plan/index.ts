export {
  planCodeAggregate,
  planCodeId,
  type PlanCodeRejection,
  type PlanCodeReserved,
} from './plan-code.js';
export {
  calendarViolations,
  planAggregate,
  type PlanCommand,
  type PlanRejection,
} from './plan.decide.js';
export type { PlanEvent, PlanTerms } from './plan.events.js';
export {
  type CreatedPlan,
  isAvailable,
  type Plan,
  PLAN_STATUSES,
  type PlanStatus,
  priceIn,
} from './plan.state.js';
