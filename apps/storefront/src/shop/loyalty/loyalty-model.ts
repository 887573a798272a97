import type { CampaignProgress, MilestoneState } from '#domain/loyalty';
import type { Reward } from '#domain/loyalty-program';

/** A campaign as programs get it (rules/loyalty 3). */
export interface CampaignModel {
  readonly campaignId: string;
  readonly name: string;
  readonly points: number;
  readonly milestones: readonly {
    readonly milestoneId: string;
    readonly points: number;
    readonly rewards: readonly Reward[];
    readonly state: MilestoneState;
  }[];
}

export function toCampaignModel({ milestones, ...campaign }: CampaignProgress): CampaignModel {
  return {
    ...campaign,
    milestones: milestones.map(({ id: milestoneId, ...milestone }) => ({
      milestoneId,
      ...milestone,
    })),
  };
}
