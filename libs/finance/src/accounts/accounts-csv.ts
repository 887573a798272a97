import { CsvReader, type CsvRecord } from '#platform';
import { type CsvColumn, writeCsv } from '../csv/csv-writer.js';
import { unguardText } from '../csv/guard-text.js';
import { AccountNames, defaultNames, type MappedAccount } from './account-names.js';
import { JOURNAL_FORMATS, judgeName } from './name-rules.js';

/** A row of a mapping that cannot be taken; the header is line 1. */
export interface BadAccountRow {
  readonly line: number;
  readonly column: string;
  readonly reason: string;
}

/** A mapping is taken as a whole, or each of its bad rows is named. */
export type AccountNamesReading =
  | { readonly accepted: true; readonly names: AccountNames }
  | { readonly accepted: false; readonly badRows: readonly BadAccountRow[] };

const COLUMNS: readonly CsvColumn<MappedAccount>[] = [
  { name: 'account', value: ({ account }) => account },
  { name: 'number', value: ({ number }) => number },
  ...JOURNAL_FORMATS.map((format) => ({
    name: format,
    value: ({ names }: MappedAccount) => names[format],
  })),
];
const HEADER = COLUMNS.map(({ name }) => name);
/** A default name: `assets:bank`, `liabilities:tax-payable:DE`. */
const ACCOUNT = /^(?:assets|liabilities|income|expenses):[a-z]+(?:-[a-z]+)*(?::[A-Z]{2})?$/;
const NUMBER = /^[\p{L}\p{Nd}][\p{L}\p{Nd}._ -]*$/u;

/** `accounts.csv`: accounts by their default names, with the number and the names that the mapping has for each. */
export function writeAccountNames(
  accounts: Iterable<string>,
  names: AccountNames,
): AsyncGenerator<string> {
  return writeCsv(
    COLUMNS,
    [...accounts].map((account) => names.find(account)),
  );
}

/** Reads `accounts.csv`. An account without a row and an empty cell have the default name (rules/finance 22). */
export function readAccountNames(text: string): AccountNamesReading {
  const check = new MappingCheck();
  const reader = new CsvReader((record) => check.take(record));
  reader.write(text);
  reader.end();
  return check.finish();
}

/** Judges one mapping, record by record. */
class MappingCheck {
  private readonly mapped: MappedAccount[] = [];
  private readonly badRows: BadAccountRow[] = [];
  private readonly lines = new Map<string, number>();
  private hasHeader = false;

  take({ line, fields, malformed }: CsvRecord): void {
    if (malformed !== null) this.blame(line, 'row', malformed);
    else if (!this.hasHeader) this.takeHeader(line, fields);
    else if (fields.join('') === '') return;
    else if (fields.length === HEADER.length) this.takeAccount(line, fields.map(unguardText));
    else {
      this.blame(line, 'row', `has ${fields.length} columns, not ${HEADER.length}`);
    }
  }

  finish(): AccountNamesReading {
    if (!this.hasHeader) this.blame(1, 'row', `the header is ${HEADER.join()}`);
    if (this.badRows.length > 0) return { accepted: false, badRows: this.badRows };
    return { accepted: true, names: new AccountNames(this.mapped) };
  }

  private takeHeader(line: number, fields: readonly string[]): void {
    this.hasHeader = true;
    if (fields.join() !== HEADER.join()) this.blame(line, 'row', `the header is ${HEADER.join()}`);
  }

  private takeAccount(line: number, [account = '', number = '', ...given]: string[]): void {
    const first = this.lines.get(account);
    if (!ACCOUNT.test(account)) this.blame(line, 'account', `"${account}" is no account`);
    else if (first !== undefined) this.blame(line, 'account', `stands on line ${first}, too`);
    this.lines.set(account, first ?? line);
    if (number !== '' && !NUMBER.test(number)) {
      this.blame(line, 'number', 'has letters, digits, ".", "_", "-" and spaces');
    }
    const names = { ...defaultNames(account) };
    JOURNAL_FORMATS.forEach((format, index) => {
      const name = given[index] ?? '';
      const reason = name === '' ? null : judgeName(name, format);
      if (reason !== null) this.blame(line, format, `"${name}" is no name: one ${reason}`);
      else if (name !== '') names[format] = name;
    });
    this.mapped.push({ account, number, names });
  }

  private blame(line: number, column: string, reason: string): void {
    this.badRows.push({ line, column, reason });
  }
}
