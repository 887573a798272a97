import { Type } from 'class-transformer';
import {
  IsDefined,
  IsObject,
  IsOptional,
  IsString,
  Length,
  Matches,
  MaxLength,
  ValidateNested,
} from 'class-validator';
import { IsCode, IsCurrencyCode } from '../http/text-rules.js';

/** Which plan a link sells: exactly one of the two. */
export class PlanReferenceDto {
  @IsOptional()
  @IsCode()
  code?: string;

  @IsOptional()
  @IsString({ message: 'must be a string' })
  @MaxLength(64, { message: 'must have at most 64 characters' })
  id?: string;
}

export class UserDto {
  /** The studio's own id of the player. */
  @IsString({ message: 'must be a string' })
  @Length(1, 255, { message: 'must have 1 to 255 characters' })
  id!: string;
}

/** decisions 11 */
export class CreateCheckoutLinkBody {
  @IsDefined({ message: 'must be {"code"} or {"id"}' })
  @ValidateNested()
  @Type(() => PlanReferenceDto)
  plan!: PlanReferenceDto;

  /** @example "USD" */
  @IsCurrencyCode()
  currency!: string;

  @IsDefined({ message: 'must be {"id"}' })
  @ValidateNested()
  @Type(() => UserDto)
  user!: UserDto;

  @IsOptional()
  @IsCode()
  segmentId?: string;

  /** A CLDR region: a country, or a country and its part. */
  @IsOptional()
  @Matches(/^[A-Z]{2}(-[A-Z0-9]{1,3})?$/, { message: 'must be a region such as DE or US-CA' })
  regionCode?: string;

  /** The studio's own reference. */
  @IsOptional()
  @IsString({ message: 'must be a string' })
  @MaxLength(255, { message: 'must have at most 255 characters' })
  referenceId?: string;

  /** Strings by name, attached to the payments and sent with their webhooks. */
  @IsOptional()
  @IsObject({ message: 'must be an object of strings' })
  metadata?: Record<string, string>;
}

export class CheckoutLinkDto {
  id!: string;
  /**
   * The hosted page, absolute.
   * @example "https://pay.example.com/checkout/cl_0123456789abcdefghjkmnpqrs"
   */
  url!: string;
}

export class CompleteCheckoutBody {
  /**
   * A payment method token of the gateway.
   * @example "pm_ok"
   */
  @IsString({ message: 'must be a string' })
  @Length(1, 128, { message: 'must have 1 to 128 characters' })
  paymentMethod!: string;
}

export class CompletedCheckoutDto {
  /** Absent while the gateway has not answered yet. */
  subscriptionId?: string;
  /** The subscription's status, or `pending` */
  status!: string;
}
