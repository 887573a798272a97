import type { Instant } from '../event/index.js';
import { COUNTRIES, type Tender } from './generated/cldr-countries.js';

const countries = new Map(Object.entries(COUNTRIES));

/**
 * The currency of a country at a moment: the first legal tender current then, in CLDR's order (rules/prices 6).
 * Undefined for a text that is no upper-case ISO 3166-1 alpha-2 code, and for a country without a currency
 * (Antarctica). Upper case is asked for, since a cache or a sheet keyed by country would otherwise have two spellings
 * of one.
 */
export function currencyOfCountry(country: string, at: Instant): string | undefined {
  return currenciesOfCountry(country, at)[0];
}

/** Every legal tender of a country at a moment, in CLDR's order; people in Lesotho pay in two. */
export function currenciesOfCountry(country: string, at: Instant): readonly string[] {
  const tenders = countries.get(country)?.tenders ?? [];
  return tenders.filter((tender) => isCurrent(tender, at)).map(({ currency }) => currency);
}

/** Whether a text is a country's upper-case ISO 3166-1 alpha-2 code, of those that have a currency. */
export function isCountry(code: string): boolean {
  return countries.has(code);
}

/** How CLDR writes a region: a country, or a country and its part. */
export const REGION_PATTERN = /^[A-Z]{2}(-[A-Z0-9]{1,3})?$/;

/** Whether a text is a region, `DE` or `US-CA`, of a country that has a currency. */
export function isRegion(code: string): boolean {
  return REGION_PATTERN.test(code) && isCountry(code.slice(0, 2));
}

/**
 * The currencies that a price sheet of this moment may hold for a country: every current one, and
 * one that is known to follow, so that a change of currency can be prepared and happens at its hour.
 */
export function sheetCurrenciesOfCountry(country: string, at: Instant): readonly string[] {
  const current = currenciesOfCountry(country, at);
  if (current.length === 0) return [];
  const coming = (countries.get(country)?.tenders ?? []).filter((tender) => tender.from > at);
  return [...current, ...coming.map((tender) => tender.currency)];
}

/** The locale that a country's prices are shown in: CLDR's likely subtags (rules/prices 6). */
export function localeOfCountry(country: string): string {
  return countries.get(country)?.locale ?? FALLBACK_LOCALE;
}

/** CLDR's own locale for an unknown language in an unknown place. */
const FALLBACK_LOCALE = 'en-US';

function isCurrent(tender: Tender, at: Instant): boolean {
  return tender.from <= at && (tender.until === undefined || at < tender.until);
}
