import type { SheetRow } from './sheet-row.js';

/** The prices of one country in one currency. */
export interface PriceColumn {
  /** Whether the sheet has no row of this country in this currency. */
  readonly isEmpty: boolean;
  /** The amount in minor units, before tax; undefined when the sheet has no such row. */
  readonly amount: (priceId: string) => bigint | undefined;
}

/**
 * A whole price sheet that never changes, as quotes read it. How its rows lie in memory is the business of the library
 * that reads and keeps sheets.
 */
export interface PriceSheet {
  readonly rowCount: number;
  readonly priceIdCount: number;
  /** Every priceId once, sorted. */
  priceIds(): Iterable<string>;
  /** Every row in canonical order: by priceId, then country, then currency. */
  rows(): Iterable<SheetRow>;
  /** The prices of a country in a currency; empty when the sheet has none. */
  column(country: string, currency: string): PriceColumn;
}
