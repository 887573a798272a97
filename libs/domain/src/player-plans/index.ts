export { findBounds, NO_BOUNDS, type PlayerBounds } from './player-bounds.js';
export {
  playerPlansAggregate,
  type PlayerPlansCommand,
  type PlayerPlansRejection,
} from './player-plans.decide.js';
export type {
  PlanClaim,
  PlanRefusal,
  PlayerPlansEvent,
  WantedPlan,
} from './player-plans.events.js';
export { findPlanRefusal } from './player-plans.state.js';
