import { IsIn, Matches } from 'class-validator';
import { ROUNDINGS } from '#domain/pricing';
import { IsCountryCode, IsLine, IsTimestamp, Omittable } from '#nest/dto';

/** The uploaded sheet: now the current version. */
export class UploadedPriceSheetDto {
  /** Counted from 1. */
  version!: number;
  rowCount!: number;
  priceIdCount!: number;
}

export class PriceSheetVersionDto {
  /** Counted from 1. */
  version!: number;
  /** Whether conversions use it now. */
  current!: boolean;
  /** SHA-256 of the version's CSV as it is downloaded, in hexadecimal. */
  contentHash!: string;
  rowCount!: number;
  priceIdCount!: number;
  uploadedBy!: string;
  uploadedAt!: string;
  /** Each time it was made current, oldest first. */
  activations!: PriceSheetActivationDto[];
}

export class PriceSheetActivationDto {
  activatedBy!: string;
  activatedAt!: string;
}

export class PriceSheetVersionListDto {
  /** Newest first. */
  versions!: PriceSheetVersionDto[];
  nextPageToken!: string;
}

export class UploadQuery {
  /**
   * How many rows the upload was refused for that a spreadsheet may have changed, where they are meant
   * (rules/prices 9).
   * @example "2"
   */
  @Omittable()
  @Matches(/^[1-9]\d{0,5}$/, { message: 'must be a number of rows, such as 2' })
  confirm?: string;
}

export class ExplainQuery {
  @IsLine(1, 128)
  priceId!: string;

  /**
   * ISO 3166-1 alpha-2, upper case
   * @example "DE"
   */
  @IsCountryCode()
  country!: string;

  /** The rounding strategy: hg, or omitted for none. */
  @Omittable()
  @IsIn(ROUNDINGS, { message: `must be one of ${ROUNDINGS.join(', ')}` })
  rounding?: string;

  /** The moment to explain; omitted: now. */
  @Omittable()
  @IsTimestamp()
  at?: string;
}

/** One step of the arithmetic, and the amount after it. */
export class ExplainedStepDto {
  /** source, sheet, tax, rounding or display */
  step!: string;
  explanation!: string;
  /** Minor units */
  amountMinor!: string;
  currency!: string;
}

/** How a price came about at a moment. */
export class ExplanationDto {
  priceId!: string;
  country!: string;
  at!: string;
  sheetVersion!: number;
  /** 0 where no rates were in force. */
  taxVersion!: number;
  ruleVersion!: string;
  cldrVersion!: string;
  displayPrice!: string;
  steps!: ExplainedStepDto[];
}
