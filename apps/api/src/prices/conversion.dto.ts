/**
 * The request of a conversion, for the OpenAPI document. It carries no rules: `readConversionBody` and
 * the domain have them, since class-validator alone would cost more than the conversion (rules/prices 7).
 */
export class ConversionBody {
  /**
   * ISO 4217; only USD is supported.
   * @example "USD"
   */
  sourceCurrency!: string;
  /**
   * ISO 3166-1 alpha-2, upper case
   * @example "DE"
   */
  destinationCountry!: string;
  /**
   * priceIds of the uploaded price sheet; unknown ones are no error.
   * @example ["gems_100"]
   */
  priceIds!: string[];
  /**
   * The rounding strategy: hg, or omitted for none.
   * @example "hg"
   */
  rounding?: string;
}

/** One converted price; amounts in minor units. */
export class ConvertedPriceDto {
  priceId!: string;
  sourceAmount!: number;
  /** After tax and rounding. */
  destinationAmount!: number;
  /** After tax, before rounding. */
  preRoundingAmount!: number;
  /** @example "10,99 €" */
  displayPrice!: string;
  /** Human value = minor units / 10^decimalPlaces. */
  decimalPlaces!: number;
}

/** The answer to a conversion (rules/prices 7). */
export class ConversionDto {
  sourceCurrency!: string;
  destinationCurrency!: string;
  destinationCountry!: string;
  /** In the order of the request, each once. */
  conversions!: ConvertedPriceDto[];
  /** Requested ids that the sheet has no price for in the country. */
  missingPriceIds!: string[];
  /**
   * A decimal fraction; "0" where none is set.
   * @example "0.23"
   */
  taxRate!: string;
  taxInclusive!: boolean;
}
