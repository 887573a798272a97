import type { PriceColumn, PriceSheet, SheetRow } from '#domain/price-sheet';

/**
 * A price sheet in little memory: rows lie sorted by priceId and column in typed arrays, ten bytes a
 * row, and the ids in one map (200,000 rows stay far below 60 MB). A look-up costs the same however
 * long the sheet is. `CompactPriceSheetBuilder` makes it.
 */
export class CompactPriceSheet implements PriceSheet {
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

  priceIds(): Iterable<string> {
    return this.ids.keys();
  }

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

  column(country: string, currency: string): PriceColumn {
    const column = this.columns.indexOf(columnName(country, currency));
    return {
      // A column is known by its rows alone: none is there without one.
      isEmpty: column === -1,
      amount: (priceId) => {
        const id = column === -1 ? undefined : this.ids.get(priceId);
        if (id === undefined) return undefined;
        return this.amounts[this.findRow(id, column)];
      },
    };
  }

  /** A binary search among the few rows of one id; past the end of all rows when there is none. */
  private findRow(id: number, column: number): number {
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
