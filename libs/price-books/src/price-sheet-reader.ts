import type { Instant } from '#domain/event';
import {
  type BadRows,
  MAX_SHEET_BYTES,
  type PriceSheet,
  SheetCheck,
  type SheetRecord,
  type SheetRow,
} from '#domain/price-sheet';
import { CsvReader } from '#platform';
import { CompactPriceSheetBuilder } from './compact-price-sheet-builder.js';

/** A good sheet, and the line that each of its rows stands on. */
export interface SheetThatWasRead {
  readonly accepted: true;
  readonly sheet: PriceSheet;
  readonly findLine: (row: SheetRow) => number;
}

export type PriceSheetReading = SheetThatWasRead | ({ readonly accepted: false } & BadRows);

/**
 * Reads a price sheet as it arrives and judges it as a whole (rules/prices 3): the sheet comes out
 * only if every row is good, else the bad rows do. Countries and currencies are those of `at`.
 */
export class PriceSheetReader {
  private readonly decoder = new TextDecoder();
  private readonly csv = new CsvReader((record) => this.take(record));
  private readonly check: SheetCheck;
  private readonly builder = new CompactPriceSheetBuilder();
  private byteCount = 0;

  constructor(at: Instant) {
    this.check = new SheetCheck(at);
  }

  /** Takes the next bytes, cut anywhere. Rows behind a limit are not looked at. */
  write(bytes: Uint8Array): void {
    if (this.check.isStopped) return;
    this.byteCount += bytes.length;
    if (this.byteCount > MAX_SHEET_BYTES) {
      this.check.stop(this.csv.lineNumber, `the sheet is longer than ${MAX_SHEET_BYTES} bytes`);
      return;
    }
    this.csv.write(this.decoder.decode(bytes, { stream: true }));
  }

  /** Ends the sheet and judges it. */
  finish(): PriceSheetReading {
    if (!this.check.isStopped) {
      this.csv.write(this.decoder.decode());
      this.csv.end();
    }
    const bad = this.check.finish();
    if (bad.badRowCount > 0) return { accepted: false, ...bad };
    const findLine = (row: SheetRow) => this.check.findLine(row);
    return { accepted: true, sheet: this.builder.build(), findLine };
  }

  private take(record: SheetRecord): void {
    const row = this.check.take(record);
    if (row !== undefined) this.builder.add(row);
  }
}
