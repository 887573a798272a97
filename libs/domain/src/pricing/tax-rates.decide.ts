import { deepEqual } from 'fast-equals';
import {
  accept,
  type AnyRejection,
  type Decision,
  defineAggregate,
  type FieldViolation,
  rejectFields,
} from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { currencyOfCountry } from './country.js';
import type { TaxRatesEvent } from './tax-rates.events.js';
import { evolveTaxRates, noTaxRates, type TaxRates, taxRatesInForce } from './tax-rates.state.js';
import { isTaxRate, subdivisionCode, type TaxRate } from './tax.js';

/** Puts all rates of an app in the place of those before (rules/prices 5). */
export interface SetTaxRates {
  readonly kind: 'SetTaxRates';
  readonly rates: readonly TaxRate[];
  /** From now on when not given. */
  readonly effectiveFrom?: Instant;
  readonly setBy: string;
  readonly now: Instant;
}

/** Every bad field at once, so that one answer names all there is to correct. */
export interface TaxRatesRejection extends AnyRejection {
  readonly code: 'tax_rates/invalid';
  readonly violations: readonly FieldViolation[];
}

/** Every country with all its subdivisions is some 5,000; one event holds that many well below 1 MiB. */
export const MAX_TAX_RATES = 5_000;
/** The subdivision codes of ISO 3166-2: one to three letters and digits behind the country. */
const REGION_PATTERN = /^[A-Z0-9]{1,3}$/;

/** Sets the rates, or names every bad field; the rates that already hold change nothing. */
export function decideTaxRates(
  command: SetTaxRates,
  state: TaxRates,
): Decision<TaxRatesEvent, TaxRatesRejection> {
  const violations = [...effectiveTimeViolations(command), ...rateViolations(command)];
  if (violations.length > 0) return rejectFields('tax_rates/invalid', violations);
  if (changesNothing(command, state)) return accept();
  const { rates, setBy, now: setAt } = command;
  const effectiveFrom = command.effectiveFrom ?? setAt;
  const version = state.versions.length + 1;
  return accept({
    type: 'tax_rates.set.v1',
    data: { version, rates, effectiveFrom, setBy, setAt },
  });
}

export const taxRatesAggregate = defineAggregate('tax_rates', {
  initialState: noTaxRates,
  evolve: evolveTaxRates,
  decide: decideTaxRates,
});

function effectiveTimeViolations({ effectiveFrom, now }: SetTaxRates): FieldViolation[] {
  if (effectiveFrom === undefined || effectiveFrom >= now) return [];
  return [
    {
      field: 'effectiveFrom',
      description: `${effectiveFrom} is past: it must not be before ${now}, since prices of then were already quoted`,
    },
  ];
}

function rateViolations({ rates, now }: SetTaxRates): FieldViolation[] {
  if (rates.length > MAX_TAX_RATES) {
    return [{ field: 'rates', description: `at most ${MAX_TAX_RATES} rates, not ${rates.length}` }];
  }
  const seen = new Map<string, number>();
  return rates.flatMap((rate, index) => {
    const bad = oneRateViolations(rate, `rates[${index}]`, now);
    const place = `${rate.country} ${subdivisionCode(rate) ?? ''}`.trimEnd();
    const first = seen.get(place);
    if (first === undefined) seen.set(place, index);
    else
      bad.push({ field: `rates[${index}]`, description: `${place} is in rates[${first}] already` });
    return bad;
  });
}

function oneRateViolations(rate: TaxRate, field: string, now: Instant): FieldViolation[] {
  const violations: FieldViolation[] = [];
  if (currencyOfCountry(rate.country, now) === undefined) {
    violations.push({
      field: `${field}.country`,
      description: `${JSON.stringify(rate.country)} is not a country's upper-case ISO 3166-1 alpha-2 code`,
    });
  }
  const region = subdivisionCode(rate);
  if (region !== undefined && !REGION_PATTERN.test(region)) {
    violations.push({
      field: `${field}.region`,
      description: `${JSON.stringify(rate.region)} is not a subdivision code of ISO 3166-2, such as NY or US-NY`,
    });
  }
  if (!isTaxRate(rate.rate)) {
    violations.push({
      field: `${field}.rate`,
      description: `${JSON.stringify(rate.rate)} is not a decimal fraction from "0" to "1", such as "0.23"`,
    });
  }
  return violations;
}

/** Rates that hold already are not set again; a command with an effective time always sets a version. */
function changesNothing(command: SetTaxRates, state: TaxRates): boolean {
  const inForce = taxRatesInForce(state, command.now);
  if (inForce === undefined || command.effectiveFrom !== undefined) return false;
  return deepEqual(inForce.rates, command.rates);
}
