import { PartialType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  ArrayUnique,
  IsArray,
  IsIn,
  IsOptional,
  IsString,
  Length,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { PERIOD_UNITS, type PeriodUnit } from '#domain/calendar';
import {
  IsAmountCents,
  IsCode,
  IsCurrencyCode,
  IsJsonText,
  IsPeriodValue,
  IsTimestamp,
} from '../http/text-rules.js';
import { PageQuery } from '../http/page.dto.js';
import { MinorUnits } from '../openapi/fields.js';
import { PlanDto } from '../plans/plan.dto.js';

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
  @IsString({ message: 'must be a string' })
  @Length(1, 200, { message: 'must have 1 to 200 characters' })
  name!: string;

  @IsOptional()
  @IsString({ message: 'must be a string' })
  @MaxLength(2000, { message: 'must have at most 2000 characters' })
  description?: string;

  /** @example "1" */
  @IsPeriodValue()
  billingPeriodValue!: string;

  /** @example "month" */
  @IsIn(PERIOD_UNITS, UNIT_MESSAGE)
  billingPeriodUnit!: PeriodUnit;

  @IsArray({ message: 'must be a list of prices' })
  @ArrayMinSize(1, { message: 'must hold at least one price' })
  @ArrayMaxSize(200, { message: 'must hold at most 200 prices' })
  @ArrayUnique(({ currency }: PriceBody) => currency, { message: 'must name each currency once' })
  @ValidateNested({ each: true })
  @Type(() => PriceBody)
  prices!: PriceBody[];

  /** Empty or omitted: no trial. */
  @IsOptional()
  @IsPeriodValue()
  trialPeriodValue?: string;

  @IsOptional()
  @IsIn(PERIOD_UNITS, UNIT_MESSAGE)
  trialPeriodUnit?: PeriodUnit;

  /** A JSON document as text; its structure is the studio's own. */
  @IsOptional()
  @IsJsonText()
  @MaxLength(20_000, { message: 'must have at most 20000 characters' })
  benefitsJson?: string;

  @IsOptional()
  @IsTimestamp()
  availableFrom?: string;

  @IsOptional()
  @IsTimestamp()
  availableUntil?: string;
}

/** decisions 11 */
export class CreatePlanBody extends PlanTermsBody {
  /** Unique within its segment, and fixed for good. */
  @IsCode()
  code!: string;

  /** Omitted: `default`. */
  @IsOptional()
  @IsCode()
  segmentId?: string;
}

/** The same fields, fewer; code and segment are the plan's name in addresses and stay. */
export class RevisePlanBody extends PartialType(PlanTermsBody) {}

export class ManagedPlanListDto {
  plans!: PlanDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}

export class ManagedPlanListQuery extends PageQuery {
  @IsOptional()
  @IsCode()
  segmentId?: string;
}
