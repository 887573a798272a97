import { describe, expect, it } from 'vitest';
import { readFileSync } from 'node:fs';
import { convertPrices, type PricingBasis, type Quote } from '#domain/price-sheet';
import { createPriceFormat, localeOfCountry, type TaxRate } from '#domain/pricing';
import { PriceSheetReader } from '#price-books';

/**
 * Prices of 73 countries, worked out once in another language with decimal arithmetic. Each is held
 * against the product, and against arithmetic that is written here in another way: digits as
 * text, and a walk to the nearest charm price, where the product divides.
 */
const NOW = '2026-06-01T00:00:00.000Z';
const golden = readFileSync(new URL('golden-prices.csv', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .slice(1)
  .map(parseLine);
const countries = [...new Set(golden.map(({ country }) => country))];

describe('the golden prices', () => {
  it('are of two-, zero- and three-decimal currencies in at least 40 countries', () => {
    expect(countries.length).toBeGreaterThanOrEqual(40);
    for (const decimals of [0, 2, 3]) {
      const some = new Set(
        golden.filter((one) => one.decimalPlaces === decimals).map((one) => one.country),
      );
      expect(some.size).toBeGreaterThan(5);
    }
    expect(countries).toEqual(expect.arrayContaining(['HU', 'ID', 'IN', 'EG', 'IL', 'IR', 'MG']));
  });

  it.each(countries)('are what is quoted in %s, with and without rounding', (country) => {
    const prices = golden.filter((one) => one.country === country);
    const plain = quotePrices(country);
    const charming = quotePrices(country, 'hg');
    for (const [at, price] of prices.entries()) {
      const expected = {
        priceId: price.source,
        sourceAmount: Number(parseMinor(price.source, 2)),
        preRoundingAmount: price.preRoundingAmount,
        decimalPlaces: price.decimalPlaces,
      };
      expect(plain[at]).toMatchObject({ ...expected, destinationAmount: price.preRoundingAmount });
      expect(charming[at]).toMatchObject({ ...expected, destinationAmount: price.hgAmount });
    }
  });

  it.each(countries)('agree with arithmetic of another kind in %s', (country) => {
    for (const price of golden.filter((one) => one.country === country)) {
      const sheet = parseMinor(price.sheet, price.decimalPlaces);
      const taxed = price.tax === 'inclusive' ? taxedByDigits(sheet, price.taxRate) : sheet;
      expect(Number(taxed)).toBe(price.preRoundingAmount);
      expect(Number(walkToNines(taxed, price.decimalPlaces))).toBe(price.hgAmount);
    }
  });

  it.each(countries)('are shown in %s as Intl writes them, every digit and no other', (country) => {
    for (const quote of quotePrices(country, 'hg')) {
      const { currency } = golden.find((one) => one.country === country)!;
      const parts = new Intl.NumberFormat([localeOfCountry(country), `en-${country}`], {
        style: 'currency',
        currency,
        currencyDisplay: 'narrowSymbol',
        minimumFractionDigits: quote.decimalPlaces,
        maximumFractionDigits: quote.decimalPlaces,
      }).formatToParts(quote.destinationAmount / 10 ** quote.decimalPlaces);
      expect(quote.displayPrice).toBe(parts.map(({ value }) => value).join(''));
      const ofType = (type: string) => parts.filter((part) => part.type === type);
      expect(ofType('currency')).toHaveLength(1);
      expect(ofType('fraction').map(({ value }) => value.length)).toEqual(
        quote.decimalPlaces === 0 ? [] : [quote.decimalPlaces],
      );
    }
  });

  it('are grouped as India groups: three digits, then two and two', () => {
    const groups = createPriceFormat('IN', 'INR')(1_234_567_899n).match(/\d+/g);
    expect(groups).toEqual(['1', '23', '45', '678', '99']);
  });

  it('are written from right to left with marks where Arabic and Hebrew want them', () => {
    for (const [country, currency] of [
      ['EG', 'EGP'],
      ['IL', 'ILS'],
      ['IR', 'IRR'],
    ] as const) {
      expect(createPriceFormat(country, currency)(123_499n)).toMatch(
        /[\u200F\u200E\u061C\u0600-\u06FF]/,
      );
    }
  });
});

function quotePrices(country: string, rounding?: string): readonly Quote[] {
  const prices = golden.filter((one) => one.country === country);
  const request = {
    sourceCurrency: 'USD',
    destinationCountry: country,
    priceIds: prices.map(({ source }) => source),
    ...(rounding !== undefined && { rounding }),
  };
  const answer = convertPrices(pricingBasis(country), request, NOW);
  if (!answer.accepted) throw new Error(answer.rejection.code);
  expect(answer.conversion.missingPriceIds).toEqual([]);
  expect(answer.conversion.destinationCurrency).toBe(prices[0]?.currency);
  expect(answer.conversion.taxRate).toBe(prices[0]?.taxRate === '' ? '0' : prices[0]?.taxRate);
  return answer.conversion.conversions;
}

function pricingBasis(country: string): PricingBasis {
  const prices = golden.filter((one) => one.country === country);
  const rows = prices.flatMap(({ source, currency, sheet }) =>
    country === 'US'
      ? [`${source},US,USD,${source}`]
      : [`${source},US,USD,${source}`, `${source},${country},${currency},${sheet}`],
  );
  const reader = new PriceSheetReader(NOW);
  reader.write(new TextEncoder().encode(['priceId,country,currency,amount', ...rows].join('\n')));
  const reading = reader.finish();
  if (!reading.accepted) throw new Error(JSON.stringify(reading.badRows));
  const { taxRate, tax } = prices[0]!;
  const rates: TaxRate[] =
    taxRate === '' ? [] : [{ country, rate: taxRate, inclusive: tax === 'inclusive' }];
  const version = { version: 1, rates, effectiveFrom: NOW, setBy: 'finance', setAt: NOW };
  return { sheet: reading.sheet, sheetVersion: 1, taxRates: { versions: [version] } };
}

/** Sheet × (1 + rate) as a text of digits: the digits behind the point decide, five zero by zero. */
function taxedByDigits(sheet: bigint, rate: string): bigint {
  const places = rate.split('.')[1]?.length ?? 0;
  if (places === 0) return sheet * (1n + BigInt(rate));
  const factor = BigInt(`1${'0'.repeat(places)}`) + parseMinor(rate, places);
  const digits = (sheet * factor).toString().padStart(places + 1, '0');
  const whole = BigInt(digits.slice(0, digits.length - places));
  const behind = digits.slice(digits.length - places);
  const half = '5'.padEnd(places, '0');
  if (behind < half) return whole;
  const even = /[02468]$/.test(whole.toString());
  return behind === half && even ? whole : whole + 1n;
}

/** Steps outwards one minor unit at a time, upwards first, until the text of the number ends in nines. */
function walkToNines(amount: bigint, decimals: number): bigint {
  if (amount === 0n) return 0n;
  const wholeEnding = amount < 1_000n ? '9' : amount < 10_000n ? '99' : '999';
  const ending = new Map([
    [0, wholeEnding],
    [2, '99'],
    [3, '990'],
  ]).get(decimals)!;
  for (let away = 0n; ; away += 1n) {
    if (String(amount + away).endsWith(ending)) return amount + away;
    if (amount > away && String(amount - away).endsWith(ending)) return amount - away;
  }
}

/** Drops the point from a decimal text that has exactly this many decimals. */
function parseMinor(text: string, decimals: number): bigint {
  const [whole = '', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

function parseLine(line: string) {
  const [
    country = '',
    currency = '',
    decimalPlaces,
    taxRate = '',
    tax,
    source = '',
    sheet = '',
    pre,
    hg,
  ] = line.split(',');
  return {
    country,
    currency,
    decimalPlaces: Number(decimalPlaces),
    taxRate,
    tax,
    source,
    sheet,
    preRoundingAmount: Number(pre),
    hgAmount: Number(hg),
  };
}
