import type { DomainEvent, Instant } from '../event/index.js';
import type { TaxRate } from './tax.js';

/** All tax rates of an app, from a moment on; the stream is `tax_rates-<appId>`. */
export type TaxRatesSet = DomainEvent<
  'tax_rates.set.v1',
  {
    /** Counted from 1 in the stream. */
    readonly version: number;
    readonly rates: readonly TaxRate[];
    /** Never before `setAt`: rates that were quoted stay (rules/prices 5). */
    readonly effectiveFrom: Instant;
    readonly setBy: string;
    readonly setAt: Instant;
  }
>;

export type TaxRatesEvent = TaxRatesSet;
