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

// What the bytes of a JSON body may come to before anything is made of them (rules/api 5): parsing,
// copying and validating a value cost far more than a look at its bytes does.

/** No request of ours nests deeper than three; a function that walks a body may call itself. */
export const MAX_DEPTH = 32;
/** Fields of one object: metadata has the most, with 50. */
const MAX_FIELDS = 1_000;
/** Entries of one list: as many as there can be tax rates. */
export const MAX_ENTRIES = 5_000;
/** Fields and entries in all of one body. A route that needs more sets `maxValues`. */
export const MAX_VALUES = 10_000;

/** A shorter body breaks no limit: each level takes two brackets. */
const HARMLESS_BYTES = 2 * MAX_DEPTH;

/**
 * Looks at each byte once. The text need not be JSON: that is for the parser to find out, in a time
 * that these limits have bounded.
 *
 * @returns the field that is too large and why, or undefined.
 */
export function jsonExcess(json: Buffer, maxValues = MAX_VALUES): FieldViolation | undefined {
  if (json.length < HARMLESS_BYTES) return undefined;
  const tally = new Tally(maxValues);
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at];
    if (byte === QUOTE) at = endOfString(json, at);
    else if (byte === COMMA) tally.next();
    else if (byte === OPENING_BRACE) tally.open(MAX_FIELDS, 'fields');
    else if (byte === OPENING_BRACKET) tally.open(MAX_ENTRIES, 'entries');
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) tally.close();
    if (tally.excess !== undefined) {
      return { field: pathAt(json, at) || 'body', description: tally.excess };
    }
  }
  return undefined;
}

/** Counts what is in the objects and lists that are open. */
class Tally {
  excess: string | undefined;
  private depth = 0;
  private values = 0;
  /** By depth: how many more values the open object or list may have, and how it is refused then. */
  private readonly left: number[] = [Infinity];
  private readonly refusals: string[] = [''];

  constructor(private readonly maxValues: number) {}

  open(limit: number, what: string): void {
    this.depth += 1;
    if (this.depth > MAX_DEPTH) this.excess = `is nested deeper than ${MAX_DEPTH} levels`;
    this.left[this.depth] = limit;
    this.refusals[this.depth] = what;
    this.next();
  }

  /** A comma, or the first value behind an opening bracket. */
  next(): void {
    this.values += 1;
    const left = (this.left[this.depth] ?? 0) - 1;
    this.left[this.depth] = left;
    if (left < 0) {
      const limit = this.refusals[this.depth] === 'fields' ? MAX_FIELDS : MAX_ENTRIES;
      this.excess = `has more than ${limit} ${this.refusals[this.depth] ?? ''}`;
    } else if (this.values > this.maxValues) {
      this.excess = `is more than the ${this.maxValues} fields and entries that a body may have`;
    }
  }

  close(): void {
    if (this.depth > 0) this.depth -= 1;
  }
}

/** The path of the object or list that a byte lies in, such as `rates.4.country`. */
function pathAt(json: Buffer, end: number): string {
  const path: (string | number)[] = [];
  let name = '';
  for (let at = 0; at < end; at += 1) {
    const byte = json[at];
    const last = path.length - 1;
    if (byte === QUOTE) {
      const from = at + 1;
      at = endOfString(json, at);
      name = json.toString('utf8', from, at);
    } else if (byte === COLON) path[last] = name;
    else if (byte === COMMA) path[last] = next(path[last]);
    else if (byte === OPENING_BRACE) path.push('');
    else if (byte === OPENING_BRACKET) path.push(0);
    else if (byte === CLOSING_BRACE || byte === CLOSING_BRACKET) path.pop();
  }
  return path.slice(0, -1).join('.');
}

function next(step: string | number | undefined): string | number {
  return typeof step === 'number' ? step + 1 : '';
}
