import { ArrayUnique, IsBoolean, IsIn, MaxLength } from 'class-validator';
import { PERIOD_UNITS, type PeriodUnit } from '#domain/calendar';
import {
  AllOmittable,
  IsAmountCents,
  IsCode,
  IsCurrencyCode,
  IsJsonText,
  IsLine,
  isObject,
  IsPeriodValue,
  IsPlainText,
  IsTimestamp,
  NestedList,
  Omittable,
  OmittableOrEmpty,
} from '#nest/dto';
import { MinorUnits, OneOf } from '#openapi';
import { PageQuery } from '../../http/page.dto.js';
import { PlanDto } from '../../plans/plan.dto.js';

const BOOLEAN_MESSAGE = { message: 'must be true or false' };
const UNIT_MESSAGE = { message: `must be one of ${PERIOD_UNITS.join(', ')}` };

export class PriceBody {
  /** @example "USD" */
  @IsCurrencyCode()
  currency!: string;

  @MinorUnits()
  @IsAmountCents()
  amountCents!: string;
}

/** The fields of a plan that a revision may change. */
export class PlanTermsBody {
  @IsLine(1, 200)
  name!: string;

  @Omittable()
  @IsPlainText(2000)
  description?: string;

  /** @example "1" */
  @IsPeriodValue()
  billingPeriodValue!: string;

  /** @example "month" */
  @IsIn(PERIOD_UNITS, UNIT_MESSAGE)
  billingPeriodUnit!: PeriodUnit;

  @ArrayUnique(currencyIn, { message: 'must name each currency once' })
  @NestedList(() => PriceBody, { min: 1, max: 200 })
  prices!: PriceBody[];

  /** Empty or omitted: no trial. */
  @OmittableOrEmpty()
  @IsPeriodValue()
  trialPeriodValue?: string;

  /** Empty or omitted: no trial. */
  @OneOf(['', ...PERIOD_UNITS])
  @OmittableOrEmpty()
  @IsIn(PERIOD_UNITS, UNIT_MESSAGE)
  trialPeriodUnit?: PeriodUnit | '';

  /** A JSON document as text; its structure is the studio's own. */
  @Omittable()
  @MaxLength(20_000, { message: 'must have at most 20000 characters' })
  @IsJsonText()
  benefitsJson?: string;

  /** Whether a player who has had the trial is sold the plan no more; omitted: false. */
  @Omittable()
  @IsBoolean(BOOLEAN_MESSAGE)
  trialOncePerPlayer?: boolean;

  /** Whether a player has one live subscription of the plan at most; omitted: false. */
  @Omittable()
  @IsBoolean(BOOLEAN_MESSAGE)
  onePerPlayer?: boolean;

  /** A player has one of all plans of the app that name the same group; empty or omitted: of no group. */
  @OmittableOrEmpty()
  @IsCode()
  exclusiveGroup?: string;

  /** Empty or omitted: no limit. */
  @OmittableOrEmpty()
  @IsTimestamp()
  availableFrom?: string;

  /** Empty or omitted: no limit. */
  @OmittableOrEmpty()
  @IsTimestamp()
  availableUntil?: string;
}

/** rules/api 17 */
export class CreatePlanBody extends PlanTermsBody {
  /** Unique within its segment, and fixed for good. */
  @IsCode()
  code!: string;

  /** Omitted: `default`. */
  @Omittable()
  @IsCode()
  segmentId?: string;
}

/** The same fields, fewer; code and segment are the plan's name in addresses and stay. */
export class RevisePlanBody extends AllOmittable(PlanTermsBody) {}

export class ManagedPlanListDto {
  plans!: PlanDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}

export class ManagedPlanListQuery extends PageQuery {
  @Omittable()
  @IsCode()
  segmentId?: string;
}

/** Other rules report an entry that is no price. */
function currencyIn(price: unknown): unknown {
  return isObject(price) ? price['currency'] : price;
}
