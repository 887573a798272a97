export { findBounds, NO_BOUNDS, type PlayerBounds } from './player-bounds.js';
export {
  playerPlansAggregate,
  type PlayerPlansCommand,
  type PlayerPlansRejection,
} from './player-plans.decide.js';
export type {
  PlanClaim,
  PlanClaimed,
  PlanRefusal,
  PlanRefused,
  PlayerPlansEvent,
  WantedPlan,
} from './player-plans.events.js';
export { findPlanRefusal, type PlayerPlans } from './player-plans.state.js';
