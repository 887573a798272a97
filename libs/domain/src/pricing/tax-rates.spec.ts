import { describe, expect, it } from 'vitest';
import { decideTaxRates, MAX_TAX_RATES, type SetTaxRates } from './tax-rates.decide.js';
import type { TaxRatesEvent } from './tax-rates.events.js';
import { evolveTaxRates, noTaxRates, taxRatesInForce } from './tax-rates.state.js';
import type { TaxRate } from './tax.js';

const JANUARY = '2026-01-01T00:00:00.000Z';
const MARCH = '2026-03-01T00:00:00.000Z';
const JUNE = '2026-06-01T00:00:00.000Z';
const german: TaxRate = { country: 'DE', rate: '0.19', inclusive: true };
const reduced: TaxRate = { ...german, rate: '0.16' };

describe('setting tax rates', () => {
  it('makes version 1, in force at once', () => {
    expect(when([], set([german]))).toEqual({
      accepted: true,
      events: [wasSet(1, [german], JANUARY)],
    });
  });

  it('counts versions on', () => {
    expect(when([wasSet(1, [german], JANUARY)], set([reduced], { now: MARCH }))).toEqual({
      accepted: true,
      events: [wasSet(2, [reduced], MARCH)],
    });
  });

  it('changes nothing when these rates hold already', () => {
    const decision = when([wasSet(1, [german], JANUARY)], set([german], { now: MARCH }));
    expect(decision).toEqual({ accepted: true, events: [] });
  });

  it('changes nothing when these rates hold already, however their fields are ordered', () => {
    const reordered: TaxRate = { inclusive: true, rate: '0.19', country: 'DE' };
    const decision = when([wasSet(1, [german], JANUARY)], set([reordered], { now: MARCH }));
    expect(decision).toEqual({ accepted: true, events: [] });
  });

  it('may be for a later time', () => {
    expect(when([], set([german], { effectiveFrom: JUNE }))).toEqual({
      accepted: true,
      events: [wasSet(1, [german], JUNE, JANUARY)],
    });
  });

  it('takes an empty list: then no tax is known', () => {
    expect(when([], set([])).accepted).toBe(true);
  });

  it('never reaches back: what was quoted stays reproducible', () => {
    expect(badFields(set([german], { effectiveFrom: JANUARY, now: MARCH }))).toEqual([
      'effectiveFrom',
    ]);
  });

  it('names every bad field at once', () => {
    const rates = [
      { country: 'de', rate: '19', inclusive: true },
      { country: 'US', region: 'new york', rate: '0.1', inclusive: false },
      { country: 'US', region: 'NY', rate: '0.1', inclusive: false },
      { country: 'US', region: 'US-NY', rate: '0.1', inclusive: false },
    ];
    expect(badFields(set(rates))).toEqual([
      'rates[0].country',
      'rates[0].rate',
      'rates[1].region',
      'rates[3]',
    ]);
  });

  it('is bounded', () => {
    const rates = Array.from({ length: MAX_TAX_RATES + 1 }, () => german);
    expect(badFields(set(rates))).toEqual(['rates']);
  });
});

describe('the version in force', () => {
  it('is the one whose time has come last', () => {
    const state = [wasSet(1, [german], JANUARY), wasSet(2, [reduced], JUNE, MARCH)].reduce(
      evolveTaxRates,
      noTaxRates,
    );
    expect(taxRatesInForce(state, '2025-12-31T00:00:00.000Z')).toBeUndefined();
    expect(taxRatesInForce(state, MARCH)?.version).toBe(1);
    expect(taxRatesInForce(state, JUNE)?.version).toBe(2);
  });

  it('can be taken back before its hour by one with the same hour', () => {
    const state = [wasSet(1, [reduced], JUNE, JANUARY), wasSet(2, [german], JUNE, MARCH)].reduce(
      evolveTaxRates,
      noTaxRates,
    );
    expect(taxRatesInForce(state, JUNE)?.version).toBe(2);
  });

  it('is not moved by a recorded command', () => {
    const noted = { type: 'command.recorded.v1', data: {} } as const;
    expect(evolveTaxRates(noTaxRates, noted)).toBe(noTaxRates);
  });
});

function when(given: TaxRatesEvent[], command: SetTaxRates) {
  return decideTaxRates(command, given.reduce(evolveTaxRates, noTaxRates));
}

function badFields(command: SetTaxRates): string[] {
  const decision = when([], command);
  return decision.accepted ? [] : decision.rejection.violations.map(({ field }) => field);
}

function set(rates: TaxRate[], given: Partial<SetTaxRates> = {}): SetTaxRates {
  return { kind: 'SetTaxRates', rates, setBy: 'operator:fin', now: JANUARY, ...given };
}

function wasSet(
  version: number,
  rates: TaxRate[],
  effectiveFrom: string,
  setAt = effectiveFrom,
): TaxRatesEvent {
  return {
    type: 'tax_rates.set.v1',
    data: { version, rates, effectiveFrom, setBy: 'operator:fin', setAt },
  };
}
