import { OmitType } from '@nestjs/swagger';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import {
  CURRENCY_STAYS,
  LOCKED_PRICE_POLICIES,
  type LockedPricePolicy,
} from '#domain/subscription';
import { IsCurrencyCode, Omittable } from '#nest/dto';
import { Default, MinorUnits, OneOf, Timestamp } from '#openapi';
import { DEFAULT_PAGE_SIZE, IsPageToken, MAX_PAGE_SIZE, PageQuery } from '../../http/page.dto.js';

const LOCKED_PRICES = { message: `must be one of ${LOCKED_PRICE_POLICIES.join(', ')}` };
const LIMIT = { message: `must be an integer from 1 to ${MAX_PAGE_SIZE}` };

/** Which move a dry run is of, and which page (rules/lifecycle 14). */
export class CurrencyChangesQuery extends PageQuery {
  /**
   * The currency that ends
   * @example "USD"
   */
  @IsCurrencyCode()
  from!: string;

  /**
   * The currency that subscriptions go on in
   * @example "EUR"
   */
  @IsCurrencyCode()
  to!: string;

  /** The fate of a subscription whose price is no longer that of its plan: it stays, or takes the plan's. */
  @Default('keep')
  @OneOf(LOCKED_PRICE_POLICIES)
  @Omittable()
  @IsIn(LOCKED_PRICE_POLICIES, LOCKED_PRICES)
  lockedPrices: LockedPricePolicy = 'keep';
}

/** The same move, to be made. A number of JSON is no text, so the page has rules of its own. */
export class ChangeCurrenciesBody extends OmitType(CurrencyChangesQuery, ['limit', 'pageToken']) {
  /** The most subscriptions that are looked at. */
  @Default(DEFAULT_PAGE_SIZE, { maximum: MAX_PAGE_SIZE })
  @Omittable()
  @IsInt(LIMIT)
  @Min(1, LIMIT)
  @Max(MAX_PAGE_SIZE, LIMIT)
  limit: number = DEFAULT_PAGE_SIZE;

  /** The nextPageToken of the page before, or of the dry run's; omitted for the first page. */
  @IsPageToken()
  pageToken?: string;
}

/** The amounts of a charge. */
export class CurrencyChargeDto {
  /** @example "EUR" */
  currency!: string;
  /** The whole amount, with its tax. */
  @MinorUnits()
  amountCents!: string;
  /** The tax in it. */
  @MinorUnits()
  totalTaxAmountCents!: string;
}

/** One subscription in the currency that ends. */
export class CurrencyChangeDto {
  subscriptionId!: string;
  /** The studio's own id of the player. */
  externalAccountId!: string;
  /** The plan that the next period is of. */
  planId!: string;
  /** Whether it moves, or would move. */
  moves!: boolean;
  /** Why it stays; null where it moves. */
  @OneOf(CURRENCY_STAYS)
  reason!: string | null;
  /** When it is charged in the other currency for the first time; null where it stays. */
  @Timestamp()
  effectiveAt!: string | null;
  /** The charge of then without the move; null where it stays. */
  before!: CurrencyChargeDto | null;
  /** The charge of then with the move; null where it stays. */
  after!: CurrencyChargeDto | null;
}

export class CurrencyChangeListDto {
  /** Those of the page that are in the currency that ends, newest first. */
  subscriptions!: CurrencyChangeDto[];
  /** Empty on the last page. A page may have no such subscription, and others follow it. */
  nextPageToken!: string;
}
