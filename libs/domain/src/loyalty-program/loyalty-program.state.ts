import { unknownEvent } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import type { CampaignTerms, LoyaltyProgramEvent } from './loyalty-program.events.js';

/** A campaign as it is now. */
export interface Campaign extends CampaignTerms {
  readonly campaignId: string;
  readonly createdAt: Instant;
  readonly updatedAt: Instant;
}

/** All campaigns of an app, in the order in which they were made. */
export interface LoyaltyProgram {
  readonly campaigns: readonly Campaign[];
}

export const newLoyaltyProgram: LoyaltyProgram = { campaigns: [] };

/** Folds one event of an app's campaigns. */
export function evolveLoyaltyProgram(
  state: LoyaltyProgram,
  event: LoyaltyProgramEvent,
): LoyaltyProgram {
  switch (event.type) {
    case 'loyalty_program.campaign_created.v1': {
      const { createdAt } = event.data;
      return { campaigns: [...state.campaigns, { ...event.data, updatedAt: createdAt }] };
    }
    case 'loyalty_program.campaign_revised.v1': {
      const { campaignId, revisedAt: updatedAt, ...changes } = event.data;
      const campaigns = state.campaigns.map((campaign) =>
        campaign.campaignId === campaignId ? { ...campaign, ...changes, updatedAt } : campaign,
      );
      return { campaigns };
    }
    default:
      return unknownEvent(state, event);
  }
}

export function findCampaign(
  { campaigns }: LoyaltyProgram,
  campaignId: string,
): Campaign | undefined {
  return campaigns.find((campaign) => campaign.campaignId === campaignId);
}
