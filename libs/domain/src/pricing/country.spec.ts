import { describe, expect, it } from 'vitest';
import { isCurrency } from '../money/index.js';
import {
  currenciesOfCountry,
  currencyOfCountry,
  localeOfCountry,
  sheetCurrenciesOfCountry,
} from './country.js';
import { COUNTRIES } from './generated/cldr-countries.js';

const NOW = '2026-06-01T00:00:00.000Z';

describe('the currency of a country', () => {
  it('is its legal tender, also where CLDR lists other money beside it', () => {
    expect(currencyOfCountry('US', NOW)).toBe('USD');
    expect(currencyOfCountry('CH', NOW)).toBe('CHF');
    expect(currencyOfCountry('CL', NOW)).toBe('CLP');
    expect(currencyOfCountry('XK', NOW)).toBe('EUR');
  });

  it('is the first where several are legal tender', () => {
    expect(currencyOfCountry('PA', NOW)).toBe('PAB');
    expect(currencyOfCountry('ZW', NOW)).toBe('ZWG');
  });

  it("changes at the country's own midnight, also where CLDR names no zone", () => {
    expect(currencyOfCountry('BG', '2025-12-31T21:59:59.999Z')).toBe('BGN');
    expect(currencyOfCountry('BG', '2025-12-31T22:00:00.000Z')).toBe('EUR');
    expect(currenciesOfCountry('BG', '2026-01-31T21:59:59.999Z')).toEqual(['EUR', 'BGN']);
    expect(currenciesOfCountry('BG', '2026-01-31T22:00:00.000Z')).toEqual(['EUR']);
    expect(currencyOfCountry('HR', '2022-12-31T22:59:59.999Z')).toBe('HRK');
    expect(currencyOfCountry('HR', '2022-12-31T23:00:00.000Z')).toBe('EUR');
    expect(currencyOfCountry('HR', '2023-01-01T00:00:00.000Z')).toBe('EUR');
  });

  it.each(['us', 'USA', 'U', '', 'XX', 'ZZ', 'EU', 'UK', 'AQ', 'constructor', '__proto__'])(
    'is unknown for %p',
    (country) => {
      expect(currencyOfCountry(country, NOW)).toBeUndefined();
      expect(sheetCurrenciesOfCountry(country, NOW)).toEqual([]);
    },
  );

  it('is one that ISO 4217 has decimals for, in every country', () => {
    for (const country of Object.keys(COUNTRIES)) {
      for (const currency of sheetCurrenciesOfCountry(country, NOW)) {
        expect([currency, isCurrency(currency)]).toEqual([currency, true]);
      }
    }
  });
});

describe('the currencies of a price sheet', () => {
  it('are the current one and the one that is known to come', () => {
    expect(sheetCurrenciesOfCountry('BG', '2025-12-01T00:00:00.000Z')).toEqual(['BGN', 'EUR']);
    expect(sheetCurrenciesOfCountry('BG', NOW)).toEqual(['EUR']);
  });

  it('are every legal tender where people pay in several', () => {
    const several = ['BT', 'HT', 'LS', 'NA', 'PA', 'PS', 'ZW'].map((country) =>
      sheetCurrenciesOfCountry(country, NOW).join(),
    );
    expect(several).toEqual([
      'BTN,INR',
      'HTG,USD',
      'ZAR,LSL',
      'NAD,ZAR',
      'PAB,USD',
      'ILS,JOD',
      'ZWG,USD',
    ]);
  });
});

describe('the locale of a country', () => {
  it('is the likely one', () => {
    expect(['US', 'GB', 'DE', 'IN', 'EG', 'TW', 'BR', 'PK'].map(localeOfCountry)).toEqual([
      'en-US',
      'en-GB',
      'de-DE',
      'hi-IN',
      'ar-EG',
      'zh-TW',
      'pt-BR',
      'ur-PK',
    ]);
  });

  it('is a locale of that very country', () => {
    for (const country of Object.keys(COUNTRIES)) {
      expect(new Intl.Locale(localeOfCountry(country)).region).toBe(country);
    }
  });
});
