import { IsIn } from 'class-validator';
import { PERIOD_UNITS } from '#domain/calendar';
import { PLAN_STATUSES, type PlanStatus } from '#domain/plan';
import { IsCode, Omittable } from '#nest/dto';
import { MinorUnits, OneOf, Timestamp, TimestampOrEmpty } from '#openapi';

/** A price of a plan in one currency (rules/api 17). */
export class PlanPriceDto {
  /**
   * ISO 4217
   * @example "USD"
   */
  currency!: string;
  @MinorUnits()
  amountCents!: string;
}

/** A subscription plan (rules/api 17); unset strings are empty. */
export class PlanDto {
  id!: string;
  segmentId!: string;
  /** Unique within its segment. */
  code!: string;
  name!: string;
  description!: string;
  /** @example "1" */
  billingPeriodValue!: string;
  @OneOf(PERIOD_UNITS)
  billingPeriodUnit!: string;
  prices!: PlanPriceDto[];
  /** Empty: no trial. */
  trialPeriodValue!: string;
  @OneOf(['', ...PERIOD_UNITS])
  trialPeriodUnit!: string;
  /** A JSON document as text. */
  benefitsJson!: string;
  /** Whether a player who has had the trial is sold the plan no more (rules/lifecycle 15). */
  trialOncePerPlayer!: boolean;
  /** Whether a player has one live subscription of the plan at most. */
  onePerPlayer!: boolean;
  /** A player has one of all plans of the app that name the same group; empty: of no group. */
  exclusiveGroup!: string;
  @OneOf(PLAN_STATUSES)
  status!: string;
  @TimestampOrEmpty()
  availableFrom!: string;
  @TimestampOrEmpty()
  availableUntil!: string;
  @Timestamp()
  createdAt!: string;
  @Timestamp()
  updatedAt!: string;
}

export class PlanListDto {
  plans!: PlanDto[];
}

export class SegmentQuery {
  /**
   * A segment of the app; where it is omitted, lists cover all and a code is looked up in
   * `default`.
   */
  @Omittable()
  @IsCode()
  segmentId?: string;
}

export class PlanListQuery extends SegmentQuery {
  /** Only plans of this status; omitted: the active plans that are for sale now. */
  @Omittable()
  @IsIn(PLAN_STATUSES, { message: `must be one of ${PLAN_STATUSES.join(', ')}` })
  status?: PlanStatus;
}
