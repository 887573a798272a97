import { unknownEvent } from '../decider/index.js';
import { COMMAND_RECORDED, type DomainEvent, type Instant } from '../event/index.js';
import type { TaxRatesEvent, TaxRatesSet } from './tax-rates.events.js';

/** One version of an app's tax rates, as it was set. */
export type TaxRatesVersion = TaxRatesSet['data'];

/** Every version that was ever set, oldest first: a quote of the past needs the rates of then. */
export interface TaxRates {
  readonly versions: readonly TaxRatesVersion[];
}

export const noTaxRates: TaxRates = { versions: [] };

/** Folds one event; a recorded command changes nothing. */
export function evolveTaxRates(
  state: TaxRates,
  event: TaxRatesEvent | DomainEvent<typeof COMMAND_RECORDED>,
): TaxRates {
  switch (event.type) {
    case 'tax_rates.set.v1':
      return { versions: [...state.versions, event.data] };
    case COMMAND_RECORDED:
      return state;
    default:
      return unknownEvent(state, event);
  }
}

/**
 * The version in force at a moment: the one with the latest effective time that has come, and of
 * several with the same the newest. So a version that was scheduled holds from its hour on, also
 * when another one was set in between, and is taken back by one with its very effective time.
 */
export function taxRatesInForce(state: TaxRates, at: Instant): TaxRatesVersion | undefined {
  let inForce: TaxRatesVersion | undefined;
  for (const version of state.versions) {
    if (version.effectiveFrom > at) continue;
    if (inForce === undefined || version.effectiveFrom >= inForce.effectiveFrom) inForce = version;
  }
  return inForce;
}
