import type { DomainEvent, Instant } from '../event/index.js';
import type { PointsRate } from './loyalty-program.points.js';

/** The prize for a milestone, as the studio's backend reads it. */
export interface Reward {
  readonly itemId: string;
  readonly quantity: number;
  readonly type: string;
}

/** Rewards for so many points. */
export interface Milestone {
  readonly id: string;
  readonly points: number;
  readonly rewards: readonly Reward[];
}

/** Whether the studio's backend is sent a message for each claim (rules/loyalty 4). */
export const REWARD_DELIVERIES = ['async_webhook', 'none'] as const;
export type RewardDelivery = (typeof REWARD_DELIVERIES)[number];

/** The terms of a campaign: rates, rewards and dates (rules/loyalty 1). */
export interface CampaignTerms {
  readonly name: string;
  /** One rate for each currency that counts. */
  readonly points: readonly PointsRate[];
  /** By their points, ascending. */
  readonly milestones: readonly Milestone[];
  /** The first moment whose orders count. */
  readonly from: Instant;
  /** The first one whose orders count no more. */
  readonly until: Instant;
  readonly delivery: RewardDelivery;
}

export type CampaignCreated = DomainEvent<
  'loyalty_program.campaign_created.v1',
  CampaignTerms & { readonly campaignId: string; readonly createdAt: Instant }
>;
export type CampaignRevised = DomainEvent<
  'loyalty_program.campaign_revised.v1',
  Partial<CampaignTerms> & { readonly campaignId: string; readonly revisedAt: Instant }
>;
export type LoyaltyProgramEvent = CampaignCreated | CampaignRevised;
