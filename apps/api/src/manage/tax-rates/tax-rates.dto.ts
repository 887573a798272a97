import { IsBoolean, IsString } from 'class-validator';
import { IsTimestamp, NestedList, Omittable } from '#nest/dto';

/** A country's or region's tax; the domain has the rules for its values. */
export class TaxRateDto {
  /**
   * ISO 3166-1 alpha-2, upper case
   * @example "DE"
   */
  @IsString({ message: 'must be an ISO 3166-1 alpha-2 code' })
  country!: string;

  /**
   * ISO 3166-2, with or without its country; omitted: the whole country.
   * @example "NY"
   */
  @Omittable()
  @IsString({ message: 'must be an ISO 3166-2 code' })
  region?: string;

  /**
   * A decimal fraction
   * @example "0.19"
   */
  @IsString({ message: 'must be a decimal fraction as a string, such as "0.19"' })
  rate!: string;

  /** Whether prices are shown with the tax in them; otherwise it is added at checkout. */
  @IsBoolean({ message: 'must be true or false' })
  inclusive!: boolean;
}

/** All tax rates of an app. */
export class TaxRatesDto {
  @NestedList(() => TaxRateDto)
  rates!: TaxRateDto[];

  /** From when on they apply; omitted: from now on. */
  @Omittable()
  @IsTimestamp()
  effectiveFrom?: string;
}

export class TaxRatesAtQuery {
  /** The moment whose rates are asked for; omitted: now. */
  @Omittable()
  @IsTimestamp()
  at?: string;
}

export class TaxRatesVersionDto {
  /** Counted from 1. */
  version!: number;
  rateCount!: number;
  effectiveFrom!: string;
  setBy!: string;
  setAt!: string;
}

export class TaxRatesVersionListDto {
  /** Newest first. */
  versions!: TaxRatesVersionDto[];
  nextPageToken!: string;
}
