import type { Difference, Reconciliation } from '#gateway';

type Row = readonly [payment: string, difference: string, gateway: string, ledger: string];
/** The widths of nearly all rows. They are printed one by one, so that none knows the widest. */
const WIDTHS = [34, 26, 30, 0];
const HEAD: Row = ['PAYMENT', 'DIFFERENCE', 'GATEWAY', 'LEDGER'];

/**
 * Prints differences as they are found: there may be as many as there are payments, so that no run holds them. For people
 * they are rows, for programs the first field of one JSON document.
 */
export class DifferenceList {
  #count = 0;

  /** @param write one line, or a part of one, to stdout. */
  constructor(
    private readonly isJson: boolean,
    private readonly write: (text: string) => void,
  ) {}

  add(difference: Difference): void {
    const { paymentId, kind, gateway, ledger } = difference;
    if (this.isJson) {
      this.write(`${this.#count === 0 ? '{"differences":[' : ','}\n${JSON.stringify(difference)}`);
    } else {
      if (this.#count === 0) this.write(layOut(HEAD));
      this.write(layOut([paymentId, kind, gateway, ledger]));
    }
    this.#count += 1;
  }

  /** @param text about the whole run, for people. */
  end(report: Reconciliation, text: string): void {
    if (!this.isJson) this.write(`${text}\n`);
    else {
      const opening = this.#count === 0 ? '{"differences":[' : '';
      this.write(`${opening}],${JSON.stringify(report).slice(1)}\n`);
    }
  }
}

function layOut(row: Row): string {
  return `${row.map((cell, column) => cell.padEnd(WIDTHS[column] ?? 0)).join('  ')}\n`;
}
