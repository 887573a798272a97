import { describe, expect, it } from 'vitest';
import { explainQuote } from './explain.js';
import type { PricingBasis } from './quote.js';
import { onlyRate } from '../pricing/spec-support/rates.js';
import { basisWith } from './spec-support/sheet-of-rows.js';

const NOW = '2026-06-01T00:00:00.000Z';
const german = (rate: string, inclusive = true) => onlyRate({ country: 'DE', rate, inclusive });

describe('explaining a quote', () => {
  const basis = basisWith({ 'gems US USD': 999n, 'gems DE EUR': 949n }, german('0.19'));

  it('gives each step of the arithmetic, and what it was made from', () => {
    const answer = explainQuote(basis, { priceId: 'gems', country: 'DE', rounding: 'hg' }, NOW);
    if (!answer.accepted) throw new Error(answer.rejection.code);
    const { steps, ...rest } = answer.explanation;
    expect(rest).toMatchObject({ sheetVersion: 1, taxVersion: 3, ruleVersion: '1', at: NOW });
    expect(steps.map(({ step, amountMinor, currency }) => [step, amountMinor, currency])).toEqual([
      ['source', '999', 'USD'],
      ['sheet', '949', 'EUR'],
      ['tax', '1129', 'EUR'],
      ['rounding', '1099', 'EUR'],
      ['display', '1099', 'EUR'],
    ]);
    expect(steps[2]?.explanation).toBe(
      'rate 0.19 of tax version 3 is inclusive: 949 × (1 + 0.19), half-even, = 1129',
    );
    expect(steps[3]?.explanation).toContain('the nearest to 1129 of 99, 199, 299');
  });

  it('says where nothing was done', () => {
    const answer = explainQuote(
      { ...basis, taxRates: german('0.19', false) },
      { priceId: 'gems', country: 'DE' },
      NOW,
    );
    if (!answer.accepted) throw new Error(answer.rejection.code);
    const says = answer.explanation.steps.map(({ explanation }) => explanation);
    expect(says[2]).toContain('exclusive, added at checkout: unchanged');
    expect(says[3]).toBe('none was asked for: unchanged');
  });

  it('says that no rate is set, and that zero stays zero', () => {
    const free = basisWith({ 'gems US USD': 0n });
    const answer = explainQuote(free, { priceId: 'gems', country: 'US', rounding: 'hg' }, NOW);
    if (!answer.accepted) throw new Error(answer.rejection.code);
    const says = answer.explanation.steps.map(({ explanation }) => explanation);
    expect(says[2]).toBe('no tax rate is set for the country: unchanged');
    expect(says[3]).toBe('hg of rule version 1: zero stays zero');
  });

  it('names the bad fields as they were sent', () => {
    const answer = explainQuote(basis, { priceId: 'gems', country: 'de', rounding: 'x' }, NOW);
    expect(answer).toMatchObject({
      rejection: { violations: [{ field: 'country' }, { field: 'rounding' }] },
    });
  });

  it('refuses what a conversion refuses, and an id that it would list as missing', () => {
    const rejectionCode = (given: PricingBasis | undefined, priceId: string, country: string) => {
      const answer = explainQuote(given, { priceId, country }, NOW);
      return answer.accepted ? '' : answer.rejection.code;
    };
    expect(rejectionCode(basis, 'gems', 'de')).toBe('prices/invalid_request');
    expect(rejectionCode(basis, 'gems', 'FR')).toBe('prices/price_not_found');
    expect(rejectionCode(basis, 'stars', 'DE')).toBe('prices/price_not_found');
    expect(rejectionCode(undefined, 'gems', 'DE')).toBe('price_sheet/not_uploaded');
  });
});
