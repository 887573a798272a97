/**
 * How a spreadsheet writes an id that looks like a number to it (rules/prices 9): `00123` comes back
 * as `123`, `1E5` as `100000`, and of a long one as many digits are left as its cell shows.
 */

const NUMBER = /^([+-]?)(\d+)(?:[.,](\d+))?(?:e([+-]?\d{1,4}))?$/i;
/** No spreadsheet keeps more digits of a number. */
const KEPT_DIGITS = 15;
/** Excel shows a number of twelve digits or more in this many, and saves the shown text. */
const SHOWN_DIGITS = 6;
const DIGITS_SHOWN_WHOLE = 11;

/** A number that is written by its digits without zeros at the ends, and the power of ten behind them. */
interface Numeral {
  readonly sign: string;
  readonly digits: string;
  readonly exponent: number;
}

/** One text for all ids that differ by leading zeros, an exponent or letter case alone. */
export function idSpelling(id: string): string {
  const numeral = parseNumeral(id);
  return numeral === undefined ? id.toLowerCase().replace(/^0+(?=.)/, '') : written(numeral);
}

/** The spellings of everything that a spreadsheet may have made of an id. */
export function respellings(id: string): readonly string[] {
  const numeral = parseNumeral(id);
  if (numeral === undefined) return [idSpelling(id)];
  const { digits, exponent } = numeral;
  const spellings = [written(numeral)];
  if (digits.length > KEPT_DIGITS) {
    spellings.push(written(cut(numeral, KEPT_DIGITS)), written(rounded(numeral, KEPT_DIGITS)));
  }
  if (digits.length + exponent > DIGITS_SHOWN_WHOLE && digits.length > SHOWN_DIGITS) {
    spellings.push(written(rounded(numeral, SHOWN_DIGITS)));
  }
  return spellings;
}

function parseNumeral(id: string): Numeral | undefined {
  const match = NUMBER.exec(id);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = match;
  return shortest(sign === '+' ? '' : sign, whole + fraction, Number(exponent) - fraction.length);
}

function shortest(sign: string, allDigits: string, exponent: number): Numeral {
  const digits = allDigits.replace(/^0+/, '').replace(/0+$/, '');
  if (digits === '') return { sign: '', digits: '0', exponent: 0 };
  const zeros = allDigits.length - allDigits.replace(/0+$/, '').length;
  return { sign, digits, exponent: exponent + zeros };
}

function cut({ sign, digits, exponent }: Numeral, length: number): Numeral {
  return shortest(sign, digits.slice(0, length), exponent + digits.length - length);
}

function rounded(numeral: Numeral, length: number): Numeral {
  const kept = cut(numeral, length);
  const { sign, digits, exponent } = numeral;
  if ((digits[length] ?? '0') < '5') return kept;
  const above = (BigInt(digits.slice(0, length)) + 1n).toString();
  return shortest(sign, above, exponent + digits.length - length);
}

/** The mark keeps numbers apart from ids that only look like such a number. */
function written({ sign, digits, exponent }: Numeral): string {
  return `number ${sign}${digits} ${exponent}`;
}
