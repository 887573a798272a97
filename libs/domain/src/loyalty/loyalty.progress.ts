import type { Instant } from '../event/index.js';
import { type Campaign, countPoints, type Milestone } from '../loyalty-program/index.js';
import { isClaimed, type Loyalty } from './loyalty.state.js';

export type MilestoneState = 'locked' | 'open' | 'claimed';

/** How far a player has come in a campaign. */
export interface CampaignProgress {
  readonly campaignId: string;
  readonly name: string;
  readonly points: number;
  readonly milestones: readonly (Milestone & { readonly state: MilestoneState })[];
}

/** Points of all orders that were paid in the campaign's time, by its present rates; each is rounded down alone. */
function countCampaignPoints({ orders }: Pick<Loyalty, 'orders'>, campaign: Campaign): bigint {
  return [...orders.values()]
    .filter(({ paidAt }) => campaign.from <= paidAt && paidAt < campaign.until)
    .reduce((sum, { spent }) => sum + countPoints(spent, campaign.points), 0n);
}

/** How the milestones of a campaign stand: one that is claimed stays so, whatever is refunded later. */
export function findMilestoneStates(
  state: Loyalty,
  campaign: Campaign,
): ReadonlyMap<string, MilestoneState> {
  const points = countCampaignPoints(state, campaign);
  return new Map(
    campaign.milestones.map((milestone) => {
      const reached = points >= BigInt(milestone.points) ? 'open' : 'locked';
      const { id } = milestone;
      return [id, isClaimed(state, campaign.campaignId, id) ? 'claimed' : reached];
    }),
  );
}

/**
 * The progress that a player is shown (rules/loyalty 3): campaigns that run, and ended ones in which something is left
 * to be claimed. One that has not begun is not told of.
 */
export function trackProgress(
  state: Loyalty,
  campaigns: readonly Campaign[],
  now: Instant,
): CampaignProgress[] {
  return campaigns
    .filter(({ from }) => from <= now)
    .map((campaign) => ({ campaign, progress: trackCampaign(state, campaign) }))
    .filter(
      ({ campaign, progress }) =>
        now < campaign.until || progress.milestones.some((milestone) => milestone.state === 'open'),
    )
    .map(({ progress }) => progress);
}

/** How far a player has come in one campaign. */
export function trackCampaign(state: Loyalty, campaign: Campaign): CampaignProgress {
  const { campaignId, name } = campaign;
  const states = findMilestoneStates(state, campaign);
  return {
    ...{ campaignId, name, points: toNumber(countCampaignPoints(state, campaign)) },
    milestones: campaign.milestones.map((milestone) => ({
      ...milestone,
      state: states.get(milestone.id) ?? 'locked',
    })),
  };
}

/** Shown points are limited to the safe integers of JSON, far above every milestone. */
function toNumber(points: bigint): number {
  const most = BigInt(Number.MAX_SAFE_INTEGER);
  return Number(points < most ? points : most);
}
