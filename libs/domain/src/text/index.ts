/**
 * The characters allowed in a text (rules/api 3). Control characters (C0, DEL, C1) break lines in headers, logs and
 * spreadsheets; line and paragraph separators do in some of them; embeddings, overrides and isolates of bidirectional
 * text show a name or an address as another one. The marks that Arabic and Hebrew are written with (LRM, RLM, ALM) are
 * no such thing.
 */
const BIDI_CONTROLS = '\\u202A-\\u202E\\u2066-\\u2069';
const NOT_IN_A_LINE = new RegExp(`[\\p{Cc}\\u2028\\u2029${BIDI_CONTROLS}]`, 'u');
const NOT_IN_PLAIN_TEXT = new RegExp(`[${BIDI_CONTROLS}]|(?![\\t\\n\\r])\\p{Cc}`, 'u');

/** Whether a text is one line, as ids, codes, names and addresses are. */
export function isOneLine(text: string): boolean {
  return !NOT_IN_A_LINE.test(text);
}

/** Whether a text is lines for a person to read, as descriptions are: with line breaks and tabs. */
export function isPlainText(text: string): boolean {
  return !NOT_IN_PLAIN_TEXT.test(text);
}

/** Whether a text has so many characters; a surrogate pair is one (rules/api 3). */
export function hasLength(text: string, min: number, max: number): boolean {
  if (text.length > 2 * max) return false;
  const { length } = Array.from(text);
  return length >= min && length <= max;
}
