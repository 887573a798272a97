import { describe, expect, it } from 'vitest';
import { ApiError } from '../answer/api-error.js';
import { MAX_DEPTH, MAX_ENTRIES, MAX_VALUES } from './json-limits.js';
import { JsonWalk } from './json-walk.js';

/** The first problem of a text, as `field: why`. */
function findExcess(text: string, maxValues = MAX_VALUES): string | undefined {
  try {
    new JsonWalk({ maxValues }).visit(JSON.parse(text));
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    const [violation] = error.fieldViolations;
    return `${violation?.field}: ${violation?.description}`;
  }
  return undefined;
}

function nested(levels: number): string {
  return `{"user":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)}}`;
}

function fields(count: number): string {
  return `{${Array.from({ length: count }, (_, at) => `"k${at}":${at}`).join()}}`;
}

function entries(count: number, entry = '1'): string {
  return `{"a":1,"rates":[${Array<string>(count).fill(entry).join()}],"z":1}`;
}

describe('a JSON body', () => {
  it('may nest 32 deep and no deeper', () => {
    expect(findExcess(nested(MAX_DEPTH))).toBeUndefined();
    expect(findExcess(nested(MAX_DEPTH + 1))).toMatch(/^user\.0\..*nested deeper than 32 levels/);
    expect(findExcess('['.repeat(60_000) + ']'.repeat(60_000))).toContain('nested deeper');
  });

  it('may have a thousand fields in an object and no more', () => {
    expect(findExcess(fields(1000))).toBeUndefined();
    expect(findExcess(fields(1001))).toBe('body: has more than 1000 fields');
    expect(findExcess(`{"a":{"metadata":${fields(1001)}}}`)).toBe(
      'a.metadata: has more than 1000 fields',
    );
  });

  it('may have 5,000 entries in a list and no more, and the list is named', () => {
    expect(findExcess(entries(MAX_ENTRIES))).toBeUndefined();
    expect(findExcess(entries(MAX_ENTRIES + 1))).toBe('rates: has more than 5000 entries');
    expect(findExcess(entries(MAX_ENTRIES, '{}'), 30_000)).toBeUndefined();
    expect(findExcess(entries(MAX_ENTRIES, '{"a":1,"b":2}'))).toContain('fields and entries');
  });

  it('may have so many values in all, however they are spread', () => {
    const lists = Array<string>(4).fill('[1,2]').join();
    expect(findExcess(`[${lists}]`, 12)).toBeUndefined();
    expect(findExcess(`[${lists}]`, 11)).toContain('more than the 11 fields and entries');
    expect(findExcess(entries(MAX_ENTRIES, '[1,1]'))).toContain(`the ${MAX_VALUES} fields`);
  });

  it('may have any brackets and commas in its strings, also behind escapes', () => {
    const text = JSON.stringify({ a: `${'[{,'.repeat(6000)}\\"[`, 'b\\': ',[\\\\', c: [',"'] });
    expect(findExcess(text)).toBeUndefined();
  });
});
