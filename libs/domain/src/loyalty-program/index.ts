import type { Aggregate } from '../decider/index.js';
import {
  type LoyaltyProgramCommand,
  loyaltyProgramDecider,
  type LoyaltyProgramRejection,
} from './loyalty-program.decide.js';
import type { LoyaltyProgramEvent } from './loyalty-program.events.js';
import type { LoyaltyProgram } from './loyalty-program.state.js';

export {
  campaignViolations,
  type LoyaltyProgramCommand,
  type LoyaltyProgramRejection,
} from './loyalty-program.decide.js';
export {
  type CampaignTerms,
  type LoyaltyProgramEvent,
  type Milestone,
  type Reward,
  REWARD_DELIVERIES,
  type RewardDelivery,
} from './loyalty-program.events.js';
export { countPoints, isPointsRate } from './loyalty-program.points.js';
export { type Campaign, findCampaign, type LoyaltyProgram } from './loyalty-program.state.js';

/** One stream for each app: its campaigns are read whole, and has a limit (decision 0036). */
export const loyaltyProgramAggregate: Aggregate<
  LoyaltyProgram,
  LoyaltyProgramCommand,
  LoyaltyProgramEvent,
  LoyaltyProgramRejection
> = { category: 'loyalty_program', decider: loyaltyProgramDecider };
