import { noTaxRates } from '../../pricing/index.js';
import type { PriceSheet } from '../price-sheet.js';
import type { PricingBasis } from '../quote.js';
import type { SheetRow } from '../sheet-row.js';

/** A small sheet for specs: amounts in minor units by cell, such as `{'gems DE EUR': 949n}`. */
export function sheetOfRows(amounts: Readonly<Record<string, bigint>>): PriceSheet {
  const cells = new Map(Object.entries(amounts));
  const rows = [...cells].map(([cell, amountMinor]): SheetRow => {
    const [priceId = '', country = '', currency = ''] = cell.split(' ');
    return { priceId, country, currency, amountMinor };
  });
  return {
    rowCount: rows.length,
    priceIdCount: new Set(rows.map(({ priceId }) => priceId)).size,
    priceIds: () => new Set(rows.map(({ priceId }) => priceId)),
    rows: () => rows,
    column: (country, currency) => ({
      isEmpty: !rows.some((row) => row.country === country && row.currency === currency),
      amount: (priceId) => cells.get(`${priceId} ${country} ${currency}`),
    }),
  };
}

/** The basis of quotes: a small sheet, and rates. */
export function basisWith(
  amounts: Readonly<Record<string, bigint>>,
  taxRates = noTaxRates,
): PricingBasis {
  return { sheet: sheetOfRows(amounts), sheetVersion: 1, taxRates };
}
