export { loyaltyAggregate, type LoyaltyCommand, type LoyaltyRejection } from './loyalty.decide.js';
export type { LoyaltyEvent } from './loyalty.events.js';
export {
  type CampaignProgress,
  type MilestoneState,
  trackCampaign,
  trackProgress,
} from './loyalty.progress.js';
