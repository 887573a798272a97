import { describe, expect, it } from 'vitest';
import type { Rounding } from '../pricing/index.js';
import type { PricingBasis } from './quote.js';
import { onlyRate } from '../pricing/spec-support/rates.js';
import { basisWith } from './spec-support/sheet-of-rows.js';
import { dryRun } from './dry-run.js';

const NOW = '2026-06-01T00:00:00.000Z';
const german = (rate: string, inclusive = true) => onlyRate({ country: 'DE', rate, inclusive });

describe('a dry run', () => {
  const current = basisWith({
    'coins US USD': 100n,
    'gems US USD': 999n,
    'gems DE EUR': 949n,
    'gems JP JPY': 1_500n,
  });

  it('lists the prices that would change, come or go, by country', () => {
    const next = basisWith({
      'gems US USD': 999n,
      'gems DE EUR': 999n,
      'stars US USD': 5n,
      'gems JP JPY': 1_500n,
    });
    const changes = changesBetween(current, next);
    expect(changes).toEqual([
      {
        country: 'DE',
        priceId: 'gems',
        before: { currency: 'EUR', amount: '9.49' },
        after: { currency: 'EUR', amount: '9.99' },
      },
      {
        country: 'US',
        priceId: 'coins',
        before: { currency: 'USD', amount: '1.00' },
        after: null,
      },
      {
        country: 'US',
        priceId: 'stars',
        before: null,
        after: { currency: 'USD', amount: '0.05' },
      },
    ]);
  });

  it('passes over a change that the rounding swallows', () => {
    const next = basisWith({
      'coins US USD': 100n,
      'gems US USD': 1_000n,
      'gems DE EUR': 951n,
      'gems JP JPY': 1_499n,
    });
    expect(changesBetween(current, next)).toHaveLength(3);
    expect(changesBetween(current, next, 'hg')).toEqual([]);
  });

  it('sees new tax rates alone, and a first sheet', () => {
    const taxed = { ...current, taxRates: german('0.19') };
    expect(changesBetween(current, taxed).map(({ country }) => country)).toEqual(['DE']);
    expect(changesBetween(undefined, current)).toHaveLength(4);
    expect(changesBetween(current, current)).toEqual([]);
  });
});

function changesBetween(
  before: PricingBasis | undefined,
  after: PricingBasis,
  rounding?: Rounding,
) {
  return dryRun({ basis: before, rounding }, { basis: after, rounding }, NOW);
}
