import { describe, expect, it } from 'vitest';
import { readSources } from './sources.js';

const HANDLER = /^@(?:Command|Query)Handler\(\w+\)\nexport class (\w+)/gm;
const LIST = /^export const \w+_HANDLERS = \[([^\]]*)\]/gm;

const programs = readSources().filter(({ file }) => /^apps\/.*\.ts$/.test(file));

describe('a handler of a command or a query', () => {
  it('is in the list of a controller, whose module provides it: Nest would answer 500 without', () => {
    const listed = programs.flatMap(({ text }) =>
      [...text.matchAll(LIST)].flatMap(([, names = '']) => names.match(/\w+/g) ?? []),
    );
    const handlers = programs.flatMap(({ text }) =>
      [...text.matchAll(HANDLER)].map(([, name]) => name),
    );
    expect(handlers.length).toBeGreaterThan(0);
    expect(handlers.filter((name = '') => !listed.includes(name))).toEqual([]);
  });
});
