/**
 * RFC 4180 as a state machine that takes text in pieces and hands out records: a byte order mark, LF
 * and CRLF, quoted fields with commas, quotes and line breaks. A malformed record is named and the
 * next line is read as usual, so that one answer names every bad row. csv-parse goes on behind a bad
 * row with a broken state, so that the rows after it are misread (decision 0001).
 */

/** No column that we read holds more; a longer field is never kept in memory. */
export const MAX_FIELD_LENGTH = 1_000;
/** A price sheet has four columns, a mapping of accounts five; a few more are kept so that their number can be named. */
const MAX_FIELDS = 16;

/** One record, as its syntax was read. */
export interface CsvRecord {
  /** The line that the record begins on; the first line of a file is 1. */
  readonly line: number;
  readonly fields: readonly string[];
  /** Why the record breaks the rules of the syntax; null when it does not. */
  readonly malformed: string | null;
}

type Place = 'start of field' | 'unquoted' | 'quoted' | 'behind quote' | 'behind quote and CR';

export class CsvReader {
  private place: Place = 'start of field';
  private field = '';
  private fields: string[] = [];
  private malformed: string | null = null;
  private line = 1;
  private recordLine = 1;
  private atStart = true;

  /** @param maxFields of a record; those behind them are left out. */
  constructor(
    private readonly onRecord: (record: CsvRecord) => void,
    private readonly maxFields = MAX_FIELDS,
  ) {}

  /** The line that was reached. */
  get lineNumber(): number {
    return this.line;
  }

  /** Reads the next piece of text; pieces may end anywhere. */
  write(text: string): void {
    let at = 0;
    if (this.atStart && text.length > 0) {
      if (text.startsWith('\uFEFF')) at = 1;
      this.atStart = false;
    }
    while (at < text.length) {
      if (this.place === 'quoted') at = this.readQuoted(text, at);
      else if (this.place === 'unquoted') at = this.readUnquoted(text, at);
      else at = this.readOne(text, at);
    }
  }

  /** Ends the text: a last line without a line break still counts. */
  end(): void {
    if (this.place === 'quoted') this.spoil('the quoted field is never closed');
    if (this.place !== 'start of field' || this.fields.length > 0) this.endRecord();
  }

  /** Up to the next quote. A quoted field may hold line breaks, which count as lines of the file. */
  private readQuoted(text: string, from: number): number {
    const quote = text.indexOf('"', from);
    const end = quote === -1 ? text.length : quote;
    for (
      let at = text.indexOf('\n', from);
      at !== -1 && at < end;
      at = text.indexOf('\n', at + 1)
    ) {
      this.line += 1;
    }
    this.keep(text, from, end);
    if (quote === -1) return end;
    this.place = 'behind quote';
    return quote + 1;
  }

  /** Up to the next comma or line break. */
  private readUnquoted(text: string, from: number): number {
    let end = from;
    for (; end < text.length; end += 1) {
      const char = text[end];
      if (char === ',' || char === '\n') break;
      if (char === '"') this.spoil('a quote stands in a field that is not quoted');
    }
    this.keep(text, from, end);
    if (end === text.length) return end;
    if (text[end] === '\n' && this.field.endsWith('\r')) this.field = this.field.slice(0, -1);
    return this.readEndOfField(text, end);
  }

  /** The one character that decides how a field begins, or goes on behind a quote. */
  private readOne(text: string, at: number): number {
    const char = text[at];
    if (this.place === 'start of field') {
      this.place = char === '"' ? 'quoted' : 'unquoted';
      return char === '"' ? at + 1 : at;
    }
    if (char === '\n') return this.readEndOfField(text, at);
    if (this.place === 'behind quote') {
      if (char === ',') return this.readEndOfField(text, at);
      if (char === '\r') {
        this.place = 'behind quote and CR';
        return at + 1;
      }
      if (char === '"') {
        this.keep(text, at, at + 1);
        this.place = 'quoted';
        return at + 1;
      }
    }
    this.spoil('text follows the closing quote of a field');
    this.place = 'unquoted';
    return at;
  }

  private readEndOfField(text: string, at: number): number {
    if (text[at] === '\n') {
      this.endRecord();
      this.line += 1;
      this.recordLine = this.line;
    } else {
      this.endField();
    }
    return at + 1;
  }

  private endField(): void {
    if (this.fields.length < this.maxFields) this.fields.push(this.field);
    this.field = '';
    this.place = 'start of field';
  }

  private endRecord(): void {
    this.endField();
    this.onRecord({ line: this.recordLine, fields: this.fields, malformed: this.malformed });
    this.fields = [];
    this.malformed = null;
  }

  private keep(text: string, from: number, end: number): void {
    if (this.field.length + (end - from) > MAX_FIELD_LENGTH) {
      this.spoil(`a field is longer than ${MAX_FIELD_LENGTH} characters`);
    } else {
      this.field += text.slice(from, end);
    }
  }

  private spoil(reason: string): void {
    this.malformed ??= reason;
  }
}
