import { describe, expect, it } from 'vitest';
import type { TaxRate, TaxRates } from '../pricing/index.js';
import { type ConversionAnswer, convertPrices, termsKey } from './conversion.js';
import type { PricingBasis } from './quote.js';
import { sheetOfRows } from './spec-support/sheet-of-rows.js';

const NOW = '2026-06-01T00:00:00.000Z';
const LATER = '2026-07-01T00:00:00.000Z';
const SHEET = {
  'gems US USD': 999n,
  'gems DE EUR': 949n,
  'gems JP JPY': 1_480n,
  'coins US USD': 100n,
  'coins DE EUR': 0n,
};

describe('converting prices', () => {
  it('answers with all fields in their order', () => {
    const basis = basisWith([{ country: 'DE', rate: '0.19', inclusive: true }]);
    const answer = convertPrices(basis, request('DE', ['gems', 'stars'], 'hg'), NOW);
    expect(answer).toEqual({
      accepted: true,
      conversion: {
        sourceCurrency: 'USD',
        destinationCurrency: 'EUR',
        destinationCountry: 'DE',
        conversions: [
          {
            priceId: 'gems',
            sourceAmount: 999,
            destinationAmount: 1099,
            preRoundingAmount: 1129,
            displayPrice: expect.stringContaining('10,99'),
            decimalPlaces: 2,
          },
        ],
        missingPriceIds: ['stars'],
        taxRate: '0.19',
        taxInclusive: true,
      },
      provenance: { sheetVersion: 7, taxVersion: 1, ruleVersion: '1' },
    });
  });

  it('leaves the amount alone for an exclusive tax, and reports the rate', () => {
    const basis = basisWith([{ country: 'DE', rate: '0.19', inclusive: false }]);
    const answer = convertPrices(basis, request('DE', ['gems']), NOW);
    expect(amounts(answer)).toEqual([[949, 949]]);
    expect(answer.accepted && answer.conversion.taxRate).toBe('0.19');
    expect(answer.accepted && answer.conversion.taxInclusive).toBe(false);
  });

  it('reports rate 0 where none is set, and takes no region’s rate for the country’s', () => {
    const basis = basisWith([{ country: 'DE', region: 'BY', rate: '0.5', inclusive: true }]);
    const answer = convertPrices(basis, request('DE', ['gems']), NOW);
    expect(amounts(answer)).toEqual([[949, 949]]);
    expect(answer.accepted && answer.conversion.taxRate).toBe('0');
  });

  it('keeps zero at zero', () => {
    expect(amounts(convertPrices(basisWith(), request('DE', ['coins'], 'hg'), NOW))).toEqual([
      [0, 0],
    ]);
  });

  it('answers duplicates once, in the order of the request', () => {
    const ids = ['no', 'gems', 'coins', 'gems', 'no', '__proto__', 'coins'];
    const answer = convertPrices(basisWith(), request('DE', ids), NOW);
    if (!answer.accepted) throw new Error('refused');
    expect(answer.conversion.conversions.map(({ priceId }) => priceId)).toEqual(['gems', 'coins']);
    expect(answer.conversion.missingPriceIds).toEqual(['no', '__proto__']);
  });

  it('lists an id without a row for the country as missing', () => {
    const answer = convertPrices(basisWith(), request('JP', ['coins', 'gems']), NOW);
    expect(answer.accepted && answer.conversion.missingPriceIds).toEqual(['coins']);
  });

  it('rounds only where it is asked to', () => {
    const basis = basisWith();
    expect(amounts(convertPrices(basis, request('JP', ['gems']), NOW))).toEqual([[1480, 1480]]);
    const rounded = convertPrices(basis, request('JP', ['gems'], 'hg'), NOW);
    expect(amounts(rounded)).toEqual([[1480, 1499]]);
  });

  it('turns to scheduled tax rates at their hour', () => {
    const version = { setBy: 'ops', setAt: NOW };
    const taxed = [{ country: 'DE', rate: '1', inclusive: true }];
    const basis = basisFrom({
      versions: [
        { ...version, version: 1, rates: [], effectiveFrom: NOW },
        { ...version, version: 2, rates: taxed, effectiveFrom: LATER },
      ],
    });
    const asked = request('DE', ['gems']);
    expect(amounts(convertPrices(basis, asked, NOW))).toEqual([[949, 949]]);
    expect(amounts(convertPrices(basis, asked, LATER))).toEqual([[1898, 1898]]);
    expect(termsKey(basis, asked, NOW)).not.toBe(termsKey(basis, asked, LATER));
    expect(termsKey(basis, asked, LATER)).toBe(termsKey(basis, asked, '2026-08-01T00:00:00.000Z'));
  });

  it('turns to a new currency at its hour: amounts of the old one are never shown in the new', () => {
    const sheet = { 'a US USD': 100n, 'a BG BGN': 190n, 'b US USD': 100n, 'b BG EUR': 100n };
    const basis = basisFrom({ versions: [] }, sheet);
    const asked = request('BG', ['a', 'b']);
    const moments = ['2025-12-31T21:59:59.999Z', '2025-12-31T22:00:00.000Z'] as const;
    const [before, after] = moments.map((at) => convertPrices(basis, asked, at));
    expect(termsKey(basis, asked, moments[0])).not.toBe(termsKey(basis, asked, moments[1]));
    expect(before).toMatchObject({
      conversion: { destinationCurrency: 'BGN', missingPriceIds: ['b'] },
    });
    expect(after).toMatchObject({
      conversion: { destinationCurrency: 'EUR', missingPriceIds: ['a'] },
    });
  });

  it('answers in the currency of all rows of a country that pays in several', () => {
    const usdOnly = { 'a US USD': 100n, 'a PA USD': 110n, 'b US USD': 100n };
    expect(inPanama(usdOnly)).toEqual(['USD', ['a'], ['b']]);
    expect(inPanama({ ...usdOnly, 'b PA PAB': 120n })).toEqual(['PAB', ['b'], ['a']]);
    expect(inPanama({ 'a US USD': 100n, 'a PA PAB': 120n })).toEqual(['PAB', ['a'], ['b']]);
    expect(inPanama({ 'a US USD': 100n })).toEqual(['PAB', [], ['a', 'b']]);
  });

  it('keeps to the old currency of a sheet without the new one for as long as it is legal tender', () => {
    const basis = basisFrom({ versions: [] }, { 'a US USD': 100n, 'a BG BGN': 190n });
    const answers = ['2026-01-31T21:59:59.999Z', '2026-01-31T22:00:00.000Z'].map((at) =>
      convertPrices(basis, request('BG', ['a']), at),
    );
    expect(answers).toMatchObject([
      { conversion: { destinationCurrency: 'BGN', missingPriceIds: [] } },
      { conversion: { destinationCurrency: 'EUR', missingPriceIds: ['a'] } },
    ]);
  });

  it('names every bad field at once', () => {
    const bad = { sourceCurrency: 'EUR', destinationCountry: 'de', priceIds: [], rounding: 'x' };
    for (const basis of [basisWith(), undefined]) {
      expect(convertPrices(basis, bad, NOW)).toMatchObject({
        rejection: {
          code: 'prices/invalid_request',
          violations: [
            { field: 'sourceCurrency' },
            { field: 'destinationCountry' },
            { field: 'priceIds' },
            { field: 'rounding' },
          ],
        },
      });
    }
  });

  it('says that there is no sheet', () => {
    expect(convertPrices(undefined, request('DE', ['gems']), NOW)).toEqual({
      accepted: false,
      rejection: { code: 'price_sheet/not_uploaded' },
    });
  });
});

function request(destinationCountry: string, priceIds: string[], rounding?: string) {
  const given = { sourceCurrency: 'USD', destinationCountry, priceIds };
  return rounding === undefined ? given : { ...given, rounding };
}

function basisWith(rates: TaxRate[] = []): PricingBasis {
  const version = { version: 1, rates, effectiveFrom: NOW, setBy: 'ops', setAt: NOW };
  return basisFrom({ versions: [version] });
}

function basisFrom(taxRates: TaxRates, sheet: Readonly<Record<string, bigint>> = SHEET) {
  return { sheet: sheetOfRows(sheet), sheetVersion: 7, taxRates };
}

/**
 * The currency of a conversion of `a` and `b` in Panama, with the ids that have a price there and those that have none.
 */
function inPanama(sheet: Readonly<Record<string, bigint>>) {
  const basis = basisFrom({ versions: [] }, sheet);
  const answer = convertPrices(basis, request('PA', ['a', 'b']), NOW);
  if (!answer.accepted) throw new Error(answer.rejection.code);
  const { destinationCurrency, conversions, missingPriceIds } = answer.conversion;
  return [destinationCurrency, conversions.map(({ priceId }) => priceId), missingPriceIds];
}

/** The amounts before and after the rounding. */
function amounts(answer: ConversionAnswer): number[][] {
  if (!answer.accepted) throw new Error(answer.rejection.code);
  return answer.conversion.conversions.map((quote) => [
    quote.preRoundingAmount,
    quote.destinationAmount,
  ]);
}
