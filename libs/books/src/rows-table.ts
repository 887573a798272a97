import type { JournalRow } from '#domain/bookkeeping';
import { NO_ROWS, selectStaged } from './canonical-rows.js';
import { type DuckDb, sqlText } from './duckdb.js';
import { StagedRows } from './staged-rows.js';

/**
 * Rows of an app that are in no file of the books, as a table with the columns of those: rows
 * beyond DuckDB's memory go to its folder for that.
 */
export class RowsTable {
  private constructor(
    private readonly duckDb: DuckDb,
    private readonly folder: string,
    readonly name: string,
  ) {}

  /** @param folder for rows on their way: it exists. @param name a table of the same one is replaced. */
  static async create(duckDb: DuckDb, folder: string, name: string): Promise<RowsTable> {
    const table = new RowsTable(duckDb, folder, name);
    await table.clear();
    return table;
  }

  async clear(): Promise<void> {
    await this.duckDb.run(`CREATE OR REPLACE TABLE ${this.name} AS FROM ${NO_ROWS}`);
  }

  /**
   * Adds rows behind those that are there, sorted by their periods and else as they come, when all of them are known: they
   * may be computed from an answer that is read meanwhile.
   *
   * @returns their number.
   */
  async insert(rows: Iterable<JournalRow> | AsyncIterable<JournalRow>): Promise<number> {
    return StagedRows.with(this.folder, async (staged) => {
      let count = 0;
      for await (const row of rows) {
        count += 1;
        staged.add(row, ALL_LEAVES);
        if (staged.isFull) await staged.flush();
      }
      await staged.flush();
      for (const { part, file } of staged.list()) {
        const folders = `${sqlText(part.environment)}, ${sqlText(part.period)}`;
        const select = `SELECT *, ${folders} FROM (${selectStaged(file)})`;
        await this.duckDb.run(`INSERT INTO ${this.name} ${select}`);
      }
      return count;
    });
  }
}

/** The table is not divided by leaves. */
const ALL_LEAVES = { first: 0, last: 0 };
