/** Values that have broken services before: texts, numbers and instants. */
import { RawJson } from './json-writer.js';

/** Half of a surrogate pair: JSON can spell it, UTF-8 cannot. */
export const HALF_SURROGATES = ['a\ud800', '\udfffb', '\ud83d\ud83d', '\udc00\ud800'];

/** Bytes that are no UTF-8, each a string with one character for each byte. */
export const NOT_UTF8 = ['\xff', '\xc3', 'caf\xe9', '\xed\xa0\x80', '\xc0\xaf', '\xf4\x90\x80\x80'];

const LONG_TEXT = 'x'.repeat(30_000);

/** Well-formed, and unexpected. */
export const ODD_TEXTS = [
  '',
  ' ',
  '0',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  'toString',
  '$all',
  '$$app',
  '../..',
  '/etc/passwd',
  '%00',
  '%s%n%x',
  "' OR 1=1 --",
  '${7*7}{{7*7}}',
  '<script>alert(1)</script>',
  '\u202egnp.exe',
  '\ufeffa',
  '\u200b',
  '\u2028',
  'e\u0301',
  'ﷺ'.repeat(100),
  '\u{1f469}\u200d\u{1f469}\u200d\u{1f467}',
  'İıſK',
  '-',
  'a-b/c:d|e,f;g',
  '9'.repeat(40),
  'NaN',
  'Infinity',
  '-0',
  '0x10',
  '1e9',
  '٣',
  LONG_TEXT,
  'é'.repeat(255),
];

/** In the place of an RFC 3339 timestamp; the first ones are valid and beyond the allowed range. */
export const BAD_INSTANTS = [
  '+010000-01-01T00:00:00Z',
  '10000-01-01T00:00:00Z',
  '+275760-09-13T00:00:00.000Z',
  '2026-12-31T24:00:00Z',
  '-000001-01-01T00:00:00Z',
  '2026-13-01T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '2026-01-01T00:60:00Z',
  '2026-01-01',
  '2026-01-01T00:00:00',
  '2026-01-01T00:00:00+99:00',
  '2026-W01-1T00:00:00Z',
  'tomorrow',
  '1767225600',
];

/** Allowed as instants, at the edges of the range. */
export const EDGE_INSTANTS = [
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  '1970-01-01T00:00:00Z',
  '2026-01-01T00:00:00.123456789Z',
  '2026-12-31T23:59:60Z',
  '9999-12-31T23:59:59-14:00',
];

/** Numbers as JSON may spell them; none is a whole number that a field of ours takes. */
export const BAD_INTEGERS = [
  new RawJson('1.5'),
  new RawJson('1e400'),
  new RawJson('-1e400'),
  new RawJson('9223372036854775808'),
  new RawJson('-1'),
  new RawJson('1e-9'),
  new RawJson('123456789012345678901234567890'),
];

/** No JSON at all. */
export const NO_JSON = [
  'NaN',
  'Infinity',
  'undefined',
  '01',
  '+1',
  '.5',
  '1.',
  "'a'",
  '0x1',
  'tru',
];

export const BEYOND_NESTING = 3_000;

/** A value within so many lists, or objects. */
export function nested(levels: number, kind: 'lists' | 'objects'): RawJson {
  if (kind === 'lists') return new RawJson('['.repeat(levels) + ']'.repeat(levels));
  return new RawJson('{"a":'.repeat(levels) + '1' + '}'.repeat(levels));
}
