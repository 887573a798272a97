import type { Instant } from '../event/index.js';
import { decimalsOf } from '../money/index.js';
import { sheetCurrenciesOfCountry } from '../pricing/index.js';
import { hasLength, isOneLine } from '../text/index.js';

/** The columns of a price sheet, in their order (rules/prices 3). */
export const SHEET_COLUMNS = ['priceId', 'country', 'currency', 'amount'] as const;
type SheetColumnName = (typeof SHEET_COLUMNS)[number];

/** One price: that of a priceId in a country, before tax, in minor units of the currency. */
export interface SheetRow {
  readonly priceId: string;
  readonly country: string;
  readonly currency: string;
  readonly amountMinor: bigint;
}

/** An error in one column of a row, or in the `row` as a whole. */
export interface RowProblem {
  readonly column: SheetColumnName | 'row';
  readonly reason: string;
}

/** Longer ids than any game store takes; with the row limit it bounds a sheet's memory. */
const MAX_PRICE_ID_LENGTH = 128;
/**
 * Twice this, the dearest amount after a tax of 100 %, still is an integer that JSON numbers hold
 * exactly, with room for the rounding.
 */
const MAX_AMOUNT_MINOR = 1_000_000_000_000_000n;
/** No amount within the limit has more digits; longer texts are refused before they are parsed. */
const MAX_AMOUNT_LENGTH = 24;

const AMOUNT_PATTERN = /^(?:0|[1-9]\d*)(?:\.(\d+))?$/;
/** The character that a decoder puts in the place of bytes that are not UTF-8. */
const NOT_UTF8 = '\u{FFFD}';

type Checked<T> = { readonly value: T } | { readonly reason: string };

/**
 * Checks the four fields of a row by the countries and currencies of a moment, that of the upload.
 *
 * @returns the row, or every problem that it has: one answer shows all there is to mend.
 */
export function checkRow(fields: readonly string[], at: Instant): SheetRow | readonly RowProblem[] {
  const [priceId = '', country = '', currency = '', amount = ''] = fields;
  if (fields.length !== SHEET_COLUMNS.length) {
    const reason = `has ${fields.length} columns, not ${SHEET_COLUMNS.length}`;
    return [{ column: 'row', reason }];
  }
  const problems: RowProblem[] = [];
  const blame = (column: SheetColumnName, reason: string | null): void => {
    if (reason !== null) problems.push({ column, reason });
  };
  blame('priceId', priceIdProblem(priceId));
  const currencies = sheetCurrenciesOfCountry(country, at);
  const currencyIsRight = currencies.includes(currency);
  if (currencies.length === 0) blame('country', countryProblem(country));
  else if (!currencyIsRight) blame('currency', currencyProblem(currency, country, currencies));
  const checked = checkAmount(amount, currencyIsRight ? decimalsOf(currency) : null);
  if ('reason' in checked) blame('amount', checked.reason);
  else if (problems.length === 0) {
    return { priceId, country, currency, amountMinor: checked.value };
  }
  return problems;
}

function priceIdProblem(priceId: string): string | null {
  if (priceId === '') return 'is empty';
  if (!hasLength(priceId, 1, MAX_PRICE_ID_LENGTH))
    return `is longer than ${MAX_PRICE_ID_LENGTH} characters`;
  if (!isOneLine(priceId) || priceId.includes(NOT_UTF8)) {
    return 'holds a control character or bytes that are not UTF-8';
  }
  if (priceId !== priceId.trim()) return 'begins or ends with white space';
  return null;
}

function countryProblem(country: string): string {
  return `${quoted(country)} is not a country's upper-case ISO 3166-1 alpha-2 code, or has no currency`;
}

function currencyProblem(currency: string, country: string, expected: readonly string[]): string {
  return `${quoted(currency)} is no legal tender of ${country}, which has ${expected.join(' and ')}`;
}

/** Where the currency is unknown (null decimals), the number of decimals is not judged. */
function checkAmount(amount: string, decimals: number | null): Checked<bigint> {
  if (amount.startsWith('-')) return { reason: `${quoted(amount)} is negative` };
  const match = amount.length > MAX_AMOUNT_LENGTH ? null : AMOUNT_PATTERN.exec(amount);
  if (match === null) return { reason: `${quoted(amount)} is not a decimal number such as 9.99` };
  const fraction = match[1] ?? '';
  if (decimals !== null && fraction.length > decimals) {
    return { reason: `${quoted(amount)} has more than the ${decimals} decimals of the currency` };
  }
  const padding = '0'.repeat(Math.max(0, (decimals ?? 0) - fraction.length));
  const value = BigInt(amount.replace('.', '') + padding);
  if (value <= MAX_AMOUNT_MINOR) return { value };
  return { reason: `${quoted(amount)} is above the limit of ${MAX_AMOUNT_MINOR} minor units` };
}

/** A value that came from outside, quoted for a message and cut to a length that a message may have. */
function quoted(value: string): string {
  return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}...` : value);
}
