export {
  currencyOfCountry,
  isCountry,
  localeOfCountry,
  sheetCurrenciesOfCountry,
} from './country.js';
export { charmBandOf } from './charm-rounding.js';
export { displayPrice, toMajorText } from './display-price.js';
export { CLDR_VERSION } from './generated/cldr-countries.js';
export {
  applyRounding,
  isRounding,
  PRICING_RULE_VERSION,
  type Rounding,
  ROUNDINGS,
} from './rounding.js';
export { findTaxRate, type TaxRate, withTaxIncluded } from './tax.js';
export { type TaxedCharge, taxedCharge } from './taxed-charge.js';
export * from './tax-rates.decide.js';
export * from './tax-rates.events.js';
export * from './tax-rates.state.js';
