import type { FieldViolation } from './api-error.js';
import {
  CLOSING_BRACE,
  CLOSING_BRACKET,
  COLON,
  COMMA,
  endOfString,
  OPENING_BRACE,
  OPENING_BRACKET,
  QUOTE,
} from './json-bytes.js';

/** An object or a list that is open: the names it has had, and where in it the text is. */
interface Open {
  readonly names: Set<string>;
  step: string | number;
}

/**
 * A field that stands twice in one object: `JSON.parse` takes the last one, and readers before us may have taken the
 * first (rules/api 2).
 *
 * @param json the text of the value, which it was parsed from.
 */
export function findRepeat(json: Buffer, value: object): FieldViolation | undefined {
  if (countNames(json) === countKeys(value)) return undefined;
  return { field: pathOfRepeat(json), description: 'stands twice in the body' };
}

/** A colon outside of strings stands behind each name. */
function countNames(json: Buffer): number {
  let names = 0;
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COLON) names += 1;
  }
  return names;
}

function countKeys(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = Array.isArray(value) ? 0 : Object.keys(value).length;
  let below = 0;
  for (const child of Object.values(value)) below += countKeys(child);
  return own + below;
}

function pathOfRepeat(json: Buffer): string {
  const open: Open[] = [];
  let text = '';
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    const last = open.at(-1);
    if (byte === QUOTE) {
      const from = at;
      at = endOfString(json, at);
      text = json.toString('utf8', from, at + 1);
    } else if (byte === OPENING_BRACE) open.push({ names: new Set(), step: '' });
    else if (byte === OPENING_BRACKET) open.push({ names: new Set(), step: 0 });
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) open.pop();
    else if (byte === COMMA && typeof last?.step === 'number') last.step += 1;
    else if (byte === COLON && last !== undefined) {
      // Two spellings of one name are the same field.
      last.step = JSON.parse(text) as string;
      if (last.names.has(last.step)) return open.map(({ step }) => step).join('.');
      last.names.add(last.step);
    }
  }
  return 'body';
}
