import type { Aggregate } from '../decider/index.js';
import {
  type PlayerPlansCommand,
  playerPlansDecider,
  type PlayerPlansRejection,
} from './player-plans.decide.js';
import type { PlayerPlansEvent } from './player-plans.events.js';
import type { PlayerPlans } from './player-plans.state.js';

export { findBounds, NO_BOUNDS, type PlayerBounds } from './player-bounds.js';
export type { PlayerPlansCommand, PlayerPlansRejection } from './player-plans.decide.js';
export type {
  PlanClaim,
  PlanClaimed,
  PlanRefusal,
  PlanRefused,
  PlayerPlansEvent,
  WantedPlan,
} from './player-plans.events.js';
export { findPlanRefusal, type PlayerPlans } from './player-plans.state.js';

/** One stream for each player, named by the pseudonym; an erasure leaves it as it is (rules/storage 16). */
export const playerPlansAggregate: Aggregate<
  PlayerPlans,
  PlayerPlansCommand,
  PlayerPlansEvent,
  PlayerPlansRejection
> = { category: 'player_plans', decider: playerPlansDecider };
