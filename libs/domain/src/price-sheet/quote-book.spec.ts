import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { TaxRate, TaxRates } from '../pricing/index.js';
import { PriceSheetReader } from './price-sheet-reader.js';
import type { PricingBasis } from './quote.js';
import { type ConversionAnswer, convertPrices, QuoteBook } from './quote-book.js';

const NOW = '2026-06-01T00:00:00.000Z';
const LATER = '2026-07-01T00:00:00.000Z';
const SHEET = `priceId,country,currency,amount
gems,US,USD,9.99
gems,DE,EUR,9.49
gems,JP,JPY,1480
coins,US,USD,1
coins,DE,EUR,0
`;

describe('converting prices', () => {
  it('answers as the interface prints it', () => {
    const book = bookWith([{ country: 'DE', rate: '0.19', inclusive: true }]);
    const answer = book.convert(request('DE', ['gems', 'stars'], 'hg'), NOW);
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
    const answer = bookWith([{ country: 'DE', rate: '0.19', inclusive: false }]).convert(
      request('DE', ['gems']),
      NOW,
    );
    expect(amountsOf(answer)).toEqual([[949, 949]]);
    expect(answer.accepted && answer.conversion.taxRate).toBe('0.19');
    expect(answer.accepted && answer.conversion.taxInclusive).toBe(false);
  });

  it('reports rate 0 where none is set, and takes no region’s rate for the country’s', () => {
    const answer = bookWith([
      { country: 'DE', region: 'BY', rate: '0.5', inclusive: true },
    ]).convert(request('DE', ['gems']), NOW);
    expect(amountsOf(answer)).toEqual([[949, 949]]);
    expect(answer.accepted && answer.conversion.taxRate).toBe('0');
  });

  it('keeps zero at zero', () => {
    expect(amountsOf(bookWith().convert(request('DE', ['coins'], 'hg'), NOW))).toEqual([[0, 0]]);
  });

  it('answers duplicates once, in the order of the request, asked again and again', () => {
    const book = bookWith();
    for (let times = 0; times < 3; times += 1) {
      const ids = ['no', 'gems', 'coins', 'gems', 'no', '__proto__', 'coins'];
      const answer = book.convert(request('DE', ids), NOW);
      if (!answer.accepted) throw new Error('refused');
      expect(answer.conversion.conversions.map(({ priceId }) => priceId)).toEqual([
        'gems',
        'coins',
      ]);
      expect(answer.conversion.missingPriceIds).toEqual(['no', '__proto__']);
    }
  });

  it('lists an id without a row for the country as missing', () => {
    const answer = bookWith().convert(request('JP', ['coins', 'gems']), NOW);
    expect(answer.accepted && answer.conversion.missingPriceIds).toEqual(['coins']);
  });

  it('keeps roundings apart', () => {
    const book = bookWith();
    expect(amountsOf(book.convert(request('JP', ['gems']), NOW))).toEqual([[1480, 1480]]);
    expect(amountsOf(book.convert(request('JP', ['gems'], 'hg'), NOW))).toEqual([[1480, 1499]]);
    expect(amountsOf(book.convert(request('JP', ['gems']), NOW))).toEqual([[1480, 1480]]);
  });

  it('turns to scheduled tax rates at their hour, with the same book', () => {
    const version = { setBy: 'ops', setAt: NOW };
    const taxed = [{ country: 'DE', rate: '1', inclusive: true }];
    const book = bookOf({
      versions: [
        { ...version, version: 1, rates: [], effectiveFrom: NOW },
        { ...version, version: 2, rates: taxed, effectiveFrom: LATER },
      ],
    });
    expect(amountsOf(book.convert(request('DE', ['gems']), NOW))).toEqual([[949, 949]]);
    expect(amountsOf(book.convert(request('DE', ['gems']), LATER))).toEqual([[1898, 1898]]);
  });

  it('turns to a new currency at its hour: amounts of the old one are never shown in the new', () => {
    const csv =
      'priceId,country,currency,amount\na,US,USD,1\na,BG,BGN,1.90\nb,US,USD,1\nb,BG,EUR,1\n';
    const book = bookOf({ versions: [] }, csv, '2025-12-01T00:00:00.000Z');
    const [before, after] = ['2025-12-31T23:59:59.999Z', '2026-01-01T00:00:00.000Z'].map((at) =>
      book.convert(request('BG', ['a', 'b']), at),
    );
    expect(before).toMatchObject({
      conversion: { destinationCurrency: 'BGN', missingPriceIds: ['b'] },
    });
    expect(after).toMatchObject({
      conversion: { destinationCurrency: 'EUR', missingPriceIds: ['a'] },
    });
  });

  it('names every bad field at once', () => {
    const bad = { sourceCurrency: 'EUR', destinationCountry: 'de', priceIds: [], rounding: 'x' };
    for (const book of [bookWith(), undefined]) {
      expect(convertPrices(book, bad, NOW)).toMatchObject({
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

  it('hands out what the caller made of a quote, made once', () => {
    let presented = 0;
    const book = new QuoteBook(basisOf(), (quote) => {
      presented += 1;
      return JSON.stringify(quote);
    });
    book.convert(request('DE', ['gems']), NOW);
    const answer = book.convert(request('DE', ['gems']), NOW);
    expect(presented).toBe(1);
    expect(answer.accepted && answer.conversion.conversions[0]).toMatch(
      /^\{"priceId":"gems","sourceAmount":999,/,
    );
  });

  it('answers a request of more ids than it keeps, each once', () => {
    const ids = Array.from({ length: 25_000 }, (_, at) => `g${at}`);
    const rows = ids.map((id) => `${id},US,USD,1\n`).join('');
    const book = bookOf({ versions: [] }, `priceId,country,currency,amount\n${rows}`);
    for (const priceIds of [[...ids, ...ids], ids.toReversed()]) {
      const answer = book.convert(request('US', priceIds), NOW);
      expect(answer.accepted && answer.conversion.conversions).toHaveLength(ids.length);
    }
  });

  it('is the same whether a quote was kept or is made afresh', () => {
    const kept = bookWith([{ country: 'DE', rate: '0.19', inclusive: true }]);
    const id = fc.constantFrom('gems', 'coins', 'x', 'y');
    const country = fc.constantFrom('DE', 'US', 'JP', 'FR');
    fc.assert(
      fc.property(fc.array(id, { minLength: 1 }), country, fc.boolean(), (ids, where, charm) => {
        const wanted = request(where, ids, charm ? 'hg' : undefined);
        const fresh = bookWith([{ country: 'DE', rate: '0.19', inclusive: true }]);
        expect(kept.convert(wanted, NOW)).toEqual(fresh.convert(wanted, NOW));
      }),
    );
  });
});

function request(destinationCountry: string, priceIds: string[], rounding?: string) {
  const given = { sourceCurrency: 'USD', destinationCountry, priceIds };
  return rounding === undefined ? given : { ...given, rounding };
}

function bookWith(rates: TaxRate[] = []): QuoteBook {
  const version = { version: 1, rates, effectiveFrom: NOW, setBy: 'ops', setAt: NOW };
  return bookOf({ versions: [version] });
}

function bookOf(taxRates: TaxRates, csv = SHEET, uploadedAt = NOW): QuoteBook {
  return new QuoteBook(basisOf(taxRates, csv, uploadedAt), (quote) => quote);
}

function basisOf(taxRates: TaxRates = { versions: [] }, csv = SHEET, at = NOW): PricingBasis {
  const reader = new PriceSheetReader(at);
  reader.write(new TextEncoder().encode(csv));
  const reading = reader.finish();
  if (!reading.accepted) throw new Error(JSON.stringify(reading.badRows));
  return { sheet: reading.sheet, sheetVersion: 7, taxRates };
}

/** The amounts before and after the rounding. */
function amountsOf(answer: ConversionAnswer): number[][] {
  if (!answer.accepted) throw new Error(answer.rejection.code);
  return answer.conversion.conversions.map((quote) => [
    quote.preRoundingAmount,
    quote.destinationAmount,
  ]);
}
