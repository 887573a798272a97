export {
  currenciesOfCountry,
  currencyOfCountry,
  isCountry,
  isRegion,
  localeOfCountry,
  REGION_PATTERN,
  sheetCurrenciesOfCountry,
} from './country.js';
export { findCharmBand } from './charm-rounding.js';
export { createPriceFormat, type PriceFormat, toMajorText } from './display-price.js';
export { CLDR_VERSION } from './generated/cldr-countries.js';
export {
  applyRounding,
  isRounding,
  PRICING_RULE_VERSION,
  type Rounding,
  ROUNDINGS,
} from './rounding.js';
export { chargeWithTax, findTaxRate, type TaxRate, withTaxIncluded } from './tax.js';
export { type AppliedTaxRate, type TaxedCharge, taxedCharge } from './taxed-charge.js';
export { decideTaxRates, taxRatesAggregate, type TaxRatesRejection } from './tax-rates.decide.js';
export type { TaxRatesEvent } from './tax-rates.events.js';
export {
  noTaxRates,
  type TaxRates,
  taxRatesInForce,
  type TaxRatesVersion,
} from './tax-rates.state.js';
