import type { FieldViolation } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { CsvReader, type CsvRecord } from './csv-reader.js';
import { PriceSheetBuilder } from './price-sheet-builder.js';
import type { PriceSheet } from './price-sheet.js';
import { RowChecker, type RowProblem, SHEET_COLUMNS, type SheetRow } from './sheet-row.js';

/** A thousand prices in two hundred countries; memory and load time are measured for it. */
export const MAX_SHEET_ROWS = 200_000;
/** What that many rows with the longest ids come to. */
export const MAX_SHEET_BYTES = 32 * 1024 * 1024;
/** The country whose row names the source amount of a priceId (decisions 9). */
export const SOURCE_COUNTRY = 'US';

/** A row that can't be taken; the header is line 1 (decisions 11). */
export interface BadRow {
  readonly line: number;
  readonly problems: readonly RowProblem[];
}

/** A sheet of nothing but bad rows is told of by its first ones, and by their number (rules/api 6). */
const MAX_BAD_ROWS = 100;

export type PriceSheetReading =
  | { readonly accepted: true; readonly sheet: PriceSheet }
  | {
      readonly accepted: false;
      /** The first ones, in the order of their lines. */
      readonly badRows: readonly BadRow[];
      /** How many there are in all. */
      readonly badRowCount: number;
    };

/**
 * Reads a price sheet as it arrives and judges it as a whole (decisions 9): the sheet comes out only
 * if every row is good, else the bad rows do. Countries and currencies are those of `at`.
 */
export class PriceSheetReader {
  private readonly decoder = new TextDecoder();
  private readonly csv = new CsvReader((record) => this.take(record));
  private readonly checker: RowChecker;
  private readonly builder = new PriceSheetBuilder();
  private readonly badLines = new Set<number>();
  private readonly badRows = new Map<number, RowProblem[]>();
  private rowsToKeep = MAX_BAD_ROWS;
  private readonly lineOfCell = new Map<number, number>();
  /** By priceId: the line it first stood on, or null as soon as a row for the source country came. */
  private readonly lineWithoutSource = new Map<string, number | null>();
  private byteCount = 0;
  private recordCount = 0;
  private stopped = false;

  constructor(at: Instant) {
    this.checker = new RowChecker(at);
  }

  /** Feeds the next bytes, cut anywhere. What comes behind a limit is not looked at. */
  write(bytes: Uint8Array): void {
    if (this.stopped) return;
    this.byteCount += bytes.length;
    if (this.byteCount > MAX_SHEET_BYTES) {
      this.stopAt(this.csv.lineNumber, `the sheet is longer than ${MAX_SHEET_BYTES} bytes`);
      return;
    }
    this.csv.write(this.decoder.decode(bytes, { stream: true }));
  }

  /** Ends the sheet and judges it. */
  finish(): PriceSheetReading {
    if (!this.stopped) {
      this.csv.write(this.decoder.decode());
      this.csv.end();
    }
    if (!this.stopped) this.checkWhole();
    if (this.badRows.size === 0) return { accepted: true, sheet: this.builder.build() };
    const badRows = Array.from(this.badRows, ([line, problems]) => ({ line, problems }));
    badRows.sort((a, b) => a.line - b.line);
    return {
      accepted: false,
      badRows: badRows.slice(0, MAX_BAD_ROWS),
      badRowCount: this.badLines.size,
    };
  }

  private take(record: CsvRecord): void {
    if (this.stopped) return;
    this.recordCount += 1;
    if (this.recordCount === 1) this.takeHeader(record);
    else if (isBlank(record)) this.recordCount -= 1;
    else if (this.recordCount > MAX_SHEET_ROWS + 1) {
      this.stopAt(record.line, `the sheet has more than ${MAX_SHEET_ROWS} rows`);
    } else this.takeRow(record);
  }

  /** Without its header nothing can be said of the rows, so that they are not read. */
  private takeHeader({ line, fields, malformed }: CsvRecord): void {
    if (malformed === null && fields.join() === SHEET_COLUMNS.join()) return;
    this.stopAt(line, `the header must be ${SHEET_COLUMNS.join()}`);
  }

  private takeRow({ line, fields, malformed }: CsvRecord): void {
    const [priceId = '', country] = fields;
    this.noteSource(priceId, country, line);
    if (malformed !== null) {
      this.blame(line, { column: 'row', reason: malformed });
      return;
    }
    const row = this.checker.check(fields);
    if ('priceId' in row) this.takeGoodRow(row, line);
    else for (const problem of row) this.blame(line, problem);
  }

  private takeGoodRow(row: SheetRow, line: number): void {
    const cell = this.builder.cellOf(row);
    const first = this.lineOfCell.get(cell);
    if (first === undefined) {
      this.lineOfCell.set(cell, line);
      this.builder.add(row);
    } else {
      const reason = `${row.priceId} in ${row.country} and ${row.currency} stands on line ${first} already`;
      this.blame(line, { column: 'row', reason });
    }
  }

  /** A bad row for the source country counts as one: it is named itself, and once is enough. */
  private noteSource(priceId: string, country: string | undefined, line: number): void {
    if (priceId === '') return;
    if (country === SOURCE_COUNTRY) this.lineWithoutSource.set(priceId, null);
    else if (!this.lineWithoutSource.has(priceId)) this.lineWithoutSource.set(priceId, line);
  }

  private checkWhole(): void {
    if (this.recordCount === 0) this.stopAt(1, `the header must be ${SHEET_COLUMNS.join()}`);
    else if (this.recordCount === 1) this.stopAt(2, 'the sheet has no rows');
    // These lines come in their order again, so that the first ones of both kinds are kept.
    this.rowsToKeep = this.badRows.size + MAX_BAD_ROWS;
    for (const line of this.lineWithoutSource.values()) {
      if (line === null) continue;
      const reason = `has no row for country ${SOURCE_COUNTRY}, which names its price in USD`;
      this.blame(line, { column: 'priceId', reason });
    }
  }

  private stopAt(line: number, reason: string): void {
    this.blame(line, { column: 'row', reason });
    this.stopped = true;
  }

  private blame(line: number, problem: RowProblem): void {
    this.badLines.add(line);
    const problems = this.badRows.get(line);
    if (problems !== undefined) problems.push(problem);
    else if (this.badRows.size < this.rowsToKeep) this.badRows.set(line, [problem]);
  }
}

/** A bad row as an answer names it: one violation a row, `field` is its line (decisions 11). */
export function badRowViolation({ line, problems }: BadRow): FieldViolation {
  const description = problems.map(({ column, reason }) => `${column}: ${reason}`).join('; ');
  return { field: `line ${line}`, description };
}

function isBlank({ fields, malformed }: CsvRecord): boolean {
  return malformed === null && fields.length === 1 && fields[0] === '';
}
