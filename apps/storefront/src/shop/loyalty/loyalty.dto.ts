import { ApiProperty } from '@nestjs/swagger';
import type { MilestoneState } from '#domain/loyalty';
import { OneOf } from '#openapi';

const MILESTONE_STATES: readonly MilestoneState[] = ['locked', 'open', 'claimed'];

/** The player's reward for a milestone. */
export class MilestoneRewardDto {
  itemId!: string;
  @ApiProperty({ type: 'integer' })
  quantity!: number;
  /**
   * The studio's own word for the kind of reward.
   * @example "item"
   */
  type!: string;
}

/** Rewards for so many points. */
export class PlayerMilestoneDto {
  milestoneId!: string;
  @ApiProperty({ type: 'integer' })
  points!: number;
  @ApiProperty({ type: [MilestoneRewardDto] })
  rewards!: readonly MilestoneRewardDto[];
  /** `open`: it is reached, and can be claimed. */
  @OneOf(MILESTONE_STATES)
  state!: MilestoneState;
}

/** A campaign, and how far the player has come (rules/loyalty 3). */
export class CampaignDto {
  campaignId!: string;
  name!: string;
  /** The player's own. */
  @ApiProperty({ type: 'integer' })
  points!: number;
  /** By their points, ascending. */
  milestones!: PlayerMilestoneDto[];
}
