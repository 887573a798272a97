import type { Aggregate } from '../decider/index.js';
import { type LoyaltyCommand, loyaltyDecider, type LoyaltyRejection } from './loyalty.decide.js';
import type { LoyaltyEvent } from './loyalty.events.js';
import type { Loyalty } from './loyalty.state.js';

export type { LoyaltyCommand, LoyaltyRejection } from './loyalty.decide.js';
export type { LoyaltyEvent } from './loyalty.events.js';
export {
  type CampaignProgress,
  type MilestoneState,
  trackCampaign,
  trackProgress,
} from './loyalty.progress.js';
export type { Loyalty } from './loyalty.state.js';

/** One stream for each player, named by the pseudonym (decision 0036). */
export const loyaltyAggregate: Aggregate<Loyalty, LoyaltyCommand, LoyaltyEvent, LoyaltyRejection> =
  { category: 'loyalty', decider: loyaltyDecider };
