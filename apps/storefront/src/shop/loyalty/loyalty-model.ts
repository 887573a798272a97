import type { CampaignProgress } from '#domain/loyalty';
import type { CampaignDto } from './loyalty.dto.js';

/** A campaign as programs get it (rules/loyalty 3). */
export function toCampaignModel({ milestones, ...campaign }: CampaignProgress): CampaignDto {
  return {
    ...campaign,
    milestones: milestones.map(({ id: milestoneId, ...milestone }) => ({
      milestoneId,
      ...milestone,
    })),
  };
}
