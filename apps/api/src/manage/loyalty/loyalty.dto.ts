import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min, ValidateBy } from 'class-validator';
import { isPointsRate, REWARD_DELIVERIES, type RewardDelivery } from '#domain/loyalty-program';
import { AllOmittable, IsCode, IsCurrencyCode, IsLine, IsTimestamp, NestedList } from '#nest/dto';
import { OneOf, Timestamp } from '#openapi';

// A campaign is stored as one event, and a shop's page looks through all of an app (rules/loyalty 1).
const MAX_CURRENCIES = 200;
const MAX_MILESTONES = 20;
const MAX_REWARDS = 10;
/** Beyond it is no campaign that anyone could play. */
const MAX_MILESTONE_POINTS = 999_999_999_999;
const MAX_REWARD_QUANTITY = 999_999_999;

/** How many points a major unit of a currency is worth. */
export class PointsRateBody {
  /** @example "USD" */
  @IsCurrencyCode()
  currency!: string;

  /**
   * A decimal string, or a whole number.
   * @example "10"
   */
  @IsPerMajorUnit()
  perMajorUnit!: string | number;
}

/** The player's reward, as the studio's backend reads it. */
export class RewardDto {
  @IsLine(1, 255)
  itemId!: string;

  @IsWholeNumber(MAX_REWARD_QUANTITY)
  quantity!: number;

  /**
   * The studio's own word for the kind of reward.
   * @example "item"
   */
  @IsLine(1, 64)
  type!: string;
}

/** Rewards for so many points. */
export class MilestoneDto {
  /** One of the campaign, and for good: it identifies the claim. */
  @IsCode()
  id!: string;

  @IsWholeNumber(MAX_MILESTONE_POINTS)
  points!: number;

  @NestedList(() => RewardDto, { min: 1, max: MAX_REWARDS })
  rewards!: RewardDto[];
}

/** rules/loyalty 1 */
export class CreateLoyaltyCampaignBody {
  /** Players see it. */
  @IsLine(1, 200)
  name!: string;

  /** Each currency that counts, once. */
  @NestedList(() => PointsRateBody, { min: 1, max: MAX_CURRENCIES })
  points!: PointsRateBody[];

  /** By their points, ascending. */
  @NestedList(() => MilestoneDto, { min: 1, max: MAX_MILESTONES })
  milestones!: MilestoneDto[];

  /** Orders count that are paid from then on. */
  @IsTimestamp()
  from!: string;

  /** Orders that are paid from then on count no more. */
  @IsTimestamp()
  until!: string;

  /** Whether LOYALTY_MILESTONE_CLAIMED is sent for each claim. */
  @OneOf(REWARD_DELIVERIES)
  @IsIn(REWARD_DELIVERIES, { message: `must be one of ${REWARD_DELIVERIES.join(', ')}` })
  delivery!: RewardDelivery;
}

/** The same fields, fewer. */
export class ReviseLoyaltyCampaignBody extends AllOmittable(CreateLoyaltyCampaignBody) {}

export class PointsRateDto {
  currency!: string;
  /** @example "10" */
  perMajorUnit!: string;
}

/** A loyalty campaign. */
export class LoyaltyCampaignDto {
  id!: string;
  name!: string;
  points!: PointsRateDto[];
  milestones!: MilestoneDto[];
  @Timestamp()
  from!: string;
  @Timestamp()
  until!: string;
  @OneOf(REWARD_DELIVERIES)
  delivery!: RewardDelivery;
  @Timestamp()
  createdAt!: string;
  @Timestamp()
  updatedAt!: string;
}

export class LoyaltyCampaignListDto {
  /** Newest first. */
  loyaltyCampaigns!: LoyaltyCampaignDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}

function IsWholeNumber(max: number): PropertyDecorator {
  const message = `must be a whole number from 1 to ${max}`;
  return applyDecorators(
    ApiProperty({ type: 'integer', minimum: 1, maximum: max }),
    IsInt({ message }),
    Min(1, { message }),
    Max(max, { message }),
  );
}

/** A number that is no whole one has lost digits already: it is to be a string. */
function IsPerMajorUnit(): PropertyDecorator {
  const message =
    'must be a decimal string above 0, such as "0.5", of at most 7 digits before the point and 6 behind it, or a whole number';
  const validate = (value: unknown) =>
    (typeof value === 'string' || Number.isInteger(value)) && isPointsRate(String(value));
  return applyDecorators(
    ApiProperty({ oneOf: [{ type: 'string' }, { type: 'integer' }] }),
    ValidateBy({ name: 'isPerMajorUnit', validator: { validate, defaultMessage: () => message } }),
  );
}
