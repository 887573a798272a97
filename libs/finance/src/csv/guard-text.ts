/** A spreadsheet takes such a text for a formula, and runs it. */
const FORMULA = /^[=+\-@\t\r]/;
/** A spreadsheet takes such a text for a number. */
const NUMBER = /^\s*[\d.,]*\d[\d.,]*(?:e[+-]?\d+)?\s*$/i;
/** It prints such a number as it was: floating point holds fifteen digits, and there is no zero in front to lose. */
const KEPT_NUMBER = /^(?:0|[1-9]\d{0,14})$/;

/**
 * A text for a cell: an apostrophe stands in front of one that a spreadsheet would run as a formula, or would print
 * otherwise than it was read, as `0012` or `1e5` (rules/finance 20).
 */
export function guardText(text: string): string {
  const isChanged = NUMBER.test(text) && !KEPT_NUMBER.test(text);
  return isChanged || FORMULA.test(text) ? `'${text}` : text;
}

/** The text that was guarded. */
export function unguardText(cell: string): string {
  const text = cell.slice(1);
  return cell.startsWith("'") && guardText(text) === cell ? text : cell;
}
