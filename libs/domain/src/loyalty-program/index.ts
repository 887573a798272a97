export {
  campaignViolations,
  loyaltyProgramAggregate,
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
export { type Campaign, findCampaign } from './loyalty-program.state.js';
