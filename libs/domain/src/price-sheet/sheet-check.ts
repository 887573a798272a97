/**
 * The rules of a price sheet as a whole (rules/prices 3): its header, its rows, no price twice, and a
 * row for the source country for each priceId. The sheet comes record by record, in any syntax; it
 * is good only if every record is.
 */
import type { FieldViolation } from '../decider/index.js';
import type { Instant } from '../event/index.js';
import { checkRow, type RowProblem, SHEET_COLUMNS, type SheetRow } from './sheet-row.js';

/** A thousand prices in two hundred countries; memory and load time are measured for it. */
export const MAX_SHEET_ROWS = 200_000;
/** The size of that many rows with the longest ids. */
export const MAX_SHEET_BYTES = 32 * 1024 * 1024;
/** The country whose row names the source amount of a priceId (rules/prices 1). */
export const SOURCE_COUNTRY = 'US';
/** An answer names this many bad rows and counts the others (rules/api 6). */
const MAX_BAD_ROWS = 100;

/** One record of a sheet, as its syntax was read. */
export interface SheetRecord {
  /** The line that the record begins on; the first line of a file is 1. */
  readonly line: number;
  readonly fields: readonly string[];
  /** Why the record breaks the rules of the syntax; null when it does not. */
  readonly malformed: string | null;
}

/** A row that can't be taken; the header is line 1. */
export interface BadRow {
  readonly line: number;
  readonly problems: readonly RowProblem[];
}

/** The bad rows of a sheet; a good sheet has none. */
export interface BadRows {
  /** The first ones, in the order of their lines. */
  readonly badRows: readonly BadRow[];
  /** How many there are in all. */
  readonly badRowCount: number;
}

/** Checks one sheet. Countries and currencies are those of the moment of the upload. */
export class SheetCheck {
  private readonly badLines = new Set<number>();
  private readonly badRows = new Map<number, RowProblem[]>();
  private rowsToKeep = MAX_BAD_ROWS;
  private readonly lineByCell = new Map<string, number>();
  /** By priceId: the line it first stood on, or null as soon as a row for the source country came. */
  private readonly lineWithoutSource = new Map<string, number | null>();
  private recordCount = 0;
  private stopped = false;

  constructor(private readonly at: Instant) {}

  /** Whether the rest of the sheet is not looked at any more. */
  get isStopped(): boolean {
    return this.stopped;
  }

  /** Takes the next record, and answers the row where it is a good one. */
  take(record: SheetRecord): SheetRow | undefined {
    if (this.stopped || isBlank(record)) return undefined;
    this.recordCount += 1;
    if (this.recordCount === 1) this.takeHeader(record);
    else if (this.recordCount > MAX_SHEET_ROWS + 1) {
      this.stop(record.line, `the sheet has more than ${MAX_SHEET_ROWS} rows`);
    } else return this.takeRow(record);
    return undefined;
  }

  /** The line of a row that was taken. */
  findLine(row: SheetRow): number {
    return this.lineByCell.get(cellName(row)) ?? 0;
  }

  /** Refuses the sheet at this line and ignores the lines after it. */
  stop(line: number, reason: string): void {
    this.blame(line, { column: 'row', reason });
    this.stopped = true;
  }

  /** Ends the sheet with the rules that hold for all of it. */
  finish(): BadRows {
    if (!this.stopped) this.checkWhole();
    const badRows = Array.from(this.badRows, ([line, problems]) => ({ line, problems }));
    badRows.sort((a, b) => a.line - b.line);
    return { badRows: badRows.slice(0, MAX_BAD_ROWS), badRowCount: this.badLines.size };
  }

  /** A sheet without its header is not read further: its columns are unknown. */
  private takeHeader({ line, fields, malformed }: SheetRecord): void {
    if (malformed === null && fields.join() === SHEET_COLUMNS.join()) return;
    this.stop(line, `the header must be ${SHEET_COLUMNS.join()}`);
  }

  private takeRow({ line, fields, malformed }: SheetRecord): SheetRow | undefined {
    const [priceId = '', country] = fields;
    this.noteSource(priceId, country, line);
    if (malformed !== null) {
      this.blame(line, { column: 'row', reason: malformed });
      return undefined;
    }
    const row = checkRow(fields, this.at);
    if ('priceId' in row) return this.isFirst(row, line) ? row : undefined;
    for (const problem of row) this.blame(line, problem);
    return undefined;
  }

  private isFirst(row: SheetRow, line: number): boolean {
    const { priceId, country, currency } = row;
    const cell = cellName(row);
    const first = this.lineByCell.get(cell);
    if (first === undefined) {
      this.lineByCell.set(cell, line);
      return true;
    }
    const reason = `${priceId} in ${country} and ${currency} stands on line ${first} already`;
    this.blame(line, { column: 'row', reason });
    return false;
  }

  /** A bad row for the source country counts as one: it is named itself, and once is enough. */
  private noteSource(priceId: string, country: string | undefined, line: number): void {
    if (priceId === '') return;
    if (country === SOURCE_COUNTRY) this.lineWithoutSource.set(priceId, null);
    else if (!this.lineWithoutSource.has(priceId)) this.lineWithoutSource.set(priceId, line);
  }

  private checkWhole(): void {
    if (this.recordCount === 0) this.stop(1, `the header must be ${SHEET_COLUMNS.join()}`);
    else if (this.recordCount === 1) this.stop(2, 'the sheet has no rows');
    // These lines come in their order again, so that the first ones of both kinds are kept.
    this.rowsToKeep = this.badRows.size + MAX_BAD_ROWS;
    for (const line of this.lineWithoutSource.values()) {
      if (line === null) continue;
      const reason = `has no row for country ${SOURCE_COUNTRY}, which names its price in USD`;
      this.blame(line, { column: 'priceId', reason });
    }
  }

  private blame(line: number, problem: RowProblem): void {
    this.badLines.add(line);
    const problems = this.badRows.get(line);
    if (problems !== undefined) problems.push(problem);
    else if (this.badRows.size < this.rowsToKeep) this.badRows.set(line, [problem]);
  }
}

/** A bad row as an answer names it: one violation a row, `field` is its line (rules/prices 3). */
export function badRowViolation({ line, problems }: BadRow): FieldViolation {
  const description = problems.map(({ column, reason }) => `${column}: ${reason}`).join('; ');
  return { field: `line ${line}`, description };
}

/** Countries and currencies that were checked hold no blank, so that no two cells share a key. */
function cellName({ priceId, country, currency }: SheetRow): string {
  return `${country} ${currency} ${priceId}`;
}

function isBlank({ fields, malformed }: SheetRecord): boolean {
  return malformed === null && fields.length === 1 && fields[0] === '';
}
