import type { SheetRow } from './sheet-row.js';

/** The amounts of one country in one currency; a lookup costs the same however long the sheet is. */
export interface PriceColumn {
  /** The amount in minor units, net of tax; undefined when the sheet has no such row. */
  readonly amountOf: (priceId: string) => bigint | undefined;
}

/**
 * A whole price sheet, held compactly and never changed: rows lie sorted by priceId and column in
 * typed arrays, ten bytes a row, and the ids in one map (200,000 rows stay far below 60 MB). It is
 * built by `PriceSheetBuilder`.
 */
export class PriceSheet {
  /**
   * The rows of id n are those from `offsets[n]` up to `offsets[n + 1]`; ids count up in the map's
   * own order, which is that of the texts, and so do the columns ("DE EUR").
   */
  constructor(
    private readonly ids: ReadonlyMap<string, number>,
    private readonly columns: readonly string[],
    private readonly offsets: Uint32Array,
    private readonly columnOfRow: Uint16Array,
    private readonly amounts: BigInt64Array,
  ) {}

  get rowCount(): number {
    return this.amounts.length;
  }

  get priceIdCount(): number {
    return this.ids.size;
  }

  /** Every row in canonical order: by priceId, then country, then currency. */
  *rows(): Generator<SheetRow> {
    for (const [priceId, id] of this.ids) {
      const end = this.offsets[id + 1] ?? 0;
      for (let row = this.offsets[id] ?? 0; row < end; row += 1) {
        const [country = '', currency = ''] = (
          this.columns[this.columnOfRow[row] ?? 0] ?? ''
        ).split(' ');
        yield { priceId, country, currency, amountMinor: this.amounts[row] ?? 0n };
      }
    }
  }

  /** The prices of a country in a currency; empty when the sheet has none. */
  column(country: string, currency: string): PriceColumn {
    const column = this.columns.indexOf(columnName(country, currency));
    return {
      amountOf: (priceId) => {
        const id = column === -1 ? undefined : this.ids.get(priceId);
        if (id === undefined) return undefined;
        return this.amounts[this.rowOf(id, column)];
      },
    };
  }

  /** A binary search among the few rows of one id; past the end of all rows when there is none. */
  private rowOf(id: number, column: number): number {
    let low = this.offsets[id] ?? 0;
    let high = (this.offsets[id + 1] ?? 0) - 1;
    while (low <= high) {
      const middle = (low + high) >> 1;
      const found = this.columnOfRow[middle] ?? 0;
      if (found === column) return middle;
      if (found < column) low = middle + 1;
      else high = middle - 1;
    }
    return this.amounts.length;
  }
}

/** A column's name; sorted as text, columns are sorted by country and then currency. */
export function columnName(country: string, currency: string): string {
  return `${country} ${currency}`;
}
