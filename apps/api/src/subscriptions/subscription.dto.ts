import { IsBoolean, IsIn } from 'class-validator';
import { PERIOD_UNITS } from '#domain/calendar';
import { SUBSCRIPTION_STATUSES, type SubscriptionStatus } from '#domain/subscription';
import { IsLine, IsRegionCodeOrEmpty, Omittable } from '#nest/dto';
import { Default, MinorUnits, OneOf, Timestamp } from '#openapi';
import { PageQuery } from '../http/page.dto.js';
import { PaymentLineDto } from '../payments/payment.dto.js';

export class PeriodDto {
  /**
   * How many units
   * @example 1
   */
  value!: number;
  @OneOf(PERIOD_UNITS)
  unit!: string;
}

/** A subscription (rules/lifecycle 10): the same object in every answer and in webhooks. */
export class SubscriptionDto {
  id!: string;
  /** The studio's own id of the player. */
  external_account_id!: string;
  /** The studio's own reference, of the checkout link; empty where there is none. */
  reference_id!: string;
  plan_id!: string;
  @OneOf(SUBSCRIPTION_STATUSES)
  status!: string;
  period!: PeriodDto;
  @Timestamp()
  trial_end!: string | null;
  /** When access ends; of an expired subscription: when it ended. */
  @Timestamp()
  access_end_date!: string;
  @Timestamp()
  current_period_end!: string;
  /** The next attempt to charge; none is made once it is canceled or expired. */
  @Timestamp()
  next_billing_date!: string;
  /** Whether it ends with the current period. */
  cancel_at_period_end!: boolean;
  @Timestamp()
  canceled_at!: string | null;
  @Timestamp()
  created_at!: string;
  /**
   * Where the player lives, a CLDR region: tax goes by it. Empty where no region is known.
   * @example "DE"
   */
  region_code!: string;
}

export class SubscriptionListDto {
  subscriptions!: SubscriptionDto[];
  /** Empty on the last page. */
  nextPageToken!: string;
}

export class SubscriptionListQuery extends PageQuery {
  /** Only this player's subscriptions; a player's own token sees no others anyway. */
  @Omittable()
  @IsLine(1, 255)
  externalAccountId?: string;

  /** Only subscriptions of this status. */
  @Omittable()
  @IsIn(SUBSCRIPTION_STATUSES, { message: `must be one of ${SUBSCRIPTION_STATUSES.join(', ')}` })
  status?: SubscriptionStatus;
}

export class CancelSubscriptionBody {
  /** Whether access lasts until the end of the paid period (rules/lifecycle 6). */
  @Default(true)
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  cancel_at_period_end: boolean = true;
}

/** rules/lifecycle 13 */
export class ChangeRegionBody {
  /** A CLDR region: a country, or a country and its part; `""` where none is known. */
  @IsRegionCodeOrEmpty()
  regionCode!: string;

  /** Only previews the next charge: nothing is changed. */
  @Omittable()
  @IsBoolean({ message: 'must be true or false' })
  preview?: boolean;
}

/** The next charge of a subscription, by the prices and tax rates of now. */
export class NextChargeDto {
  /** When it is charged. */
  @Timestamp()
  effectiveAt!: string;
  /** @example "USD" */
  currency!: string;
  /** The whole amount, with its tax. */
  @MinorUnits()
  amountCents!: string;
  /** The lines of the amount. */
  lines!: PaymentLineDto[];
}
