import type { SheetRow } from '#domain/price-sheet';
import { columnName, CompactPriceSheet } from './compact-price-sheet.js';

/**
 * More columns than countries have currencies. A cell's number is made of id and column, and fits 32
 * bits for a million ids.
 */
const MAX_COLUMNS = 4_096;
/** More rows than a sheet may have: a cell's number and its row's make one exact integer. */
const MAX_ROWS = 262_144;

/** Takes rows in any order, each at most once, and makes the compact sheet of them. */
export class CompactPriceSheetBuilder {
  private readonly ids = new Map<string, number>();
  private readonly columns = new Map<string, number>();
  private readonly cells: number[] = [];
  private readonly amounts: bigint[] = [];

  /** Takes one row; no two may have the same priceId, country and currency. */
  add({ priceId, country, currency, amountMinor }: SheetRow): void {
    const id = indexIn(this.ids, priceId);
    const column = indexIn(this.columns, columnName(country, currency));
    this.cells.push(id * MAX_COLUMNS + column);
    this.amounts.push(amountMinor);
  }

  build(): CompactPriceSheet {
    const ids = [...this.ids.keys()].sort();
    const columns = [...this.columns.keys()].sort();
    const idRanks = ranks(this.ids, ids);
    const columnRanks = ranks(this.columns, columns);
    // One number for place and row: sorting numbers without a comparison of ours is much faster.
    const order = Float64Array.from(this.cells, (cell, row) => {
      const column = cell % MAX_COLUMNS;
      const id = (cell - column) / MAX_COLUMNS;
      const place = (idRanks[id] ?? 0) * MAX_COLUMNS + (columnRanks[column] ?? 0);
      return place * MAX_ROWS + row;
    }).sort();
    const offsets = new Uint32Array(ids.length + 1);
    const columnOfRow = new Uint16Array(order.length);
    const amounts = new BigInt64Array(order.length);
    order.forEach((number, row) => {
      const entry = number % MAX_ROWS;
      const place = (number - entry) / MAX_ROWS;
      columnOfRow[row] = place % MAX_COLUMNS;
      amounts[row] = this.amounts[entry] ?? 0n;
      offsets[Math.floor(place / MAX_COLUMNS) + 1] = row + 1;
    });
    const rankedIds = new Map(ids.map((id, rank) => [id, rank]));
    return new CompactPriceSheet(rankedIds, columns, offsets, columnOfRow, amounts);
  }
}

function indexIn(known: Map<string, number>, name: string): number {
  const index = known.get(name) ?? known.size;
  if (index === known.size) known.set(name, index);
  return index;
}

/** For each name by its first index: its place in the sorted list. */
function ranks(byIndex: ReadonlyMap<string, number>, sorted: readonly string[]): Uint32Array {
  const result = new Uint32Array(sorted.length);
  sorted.forEach((name, rank) => {
    result[byIndex.get(name) ?? 0] = rank;
  });
  return result;
}
