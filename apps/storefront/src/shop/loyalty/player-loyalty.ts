import type { Instant } from '#domain/event';
import { type CampaignProgress, loyaltyAggregate, trackProgress } from '#domain/loyalty';
import { loyaltyProgramAggregate } from '#domain/loyalty-program';
import type { StateLoader } from '../player-states.js';
import type { Visitor } from '../session/visitor.js';
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

/**
 * How far a player has come in the campaigns of the app (rules/loyalty 3); where there are none, nothing more is read.
 *
 * @param states stored as of the request. @throws Fault of the store.
 */
export async function trackLoyalty(
  { appId, player }: Visitor,
  states: StateLoader,
  now: Instant,
): Promise<CampaignProgress[]> {
  const { campaigns } = (await states.load(loyaltyProgramAggregate, appId)).state;
  if (campaigns.length === 0) return [];
  const { state } = await states.load(loyaltyAggregate, player);
  return trackProgress(state, campaigns, now);
}
