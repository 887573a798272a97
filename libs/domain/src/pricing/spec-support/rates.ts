import type { TaxRate, TaxRates } from '../index.js';

/** An app's only rate, which is as old as can be. */
export function onlyRate(rate: TaxRate, version = 3): TaxRates {
  const setAt = '2020-01-01T00:00:00.000Z';
  return { versions: [{ version, rates: [rate], effectiveFrom: setAt, setBy: 'ops', setAt }] };
}
