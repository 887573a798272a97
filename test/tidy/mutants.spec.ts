import { describe, expect, it } from 'vitest';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { MUTANTS } from '../mutants/mutants.js';

/** The list is tried by `npm run mutants`, which takes minutes; here is that it still speaks of the code. */
describe('the mutants', () => {
  it('are twenty at least, each under a name of its own', () => {
    expect(MUTANTS.length).toBeGreaterThanOrEqual(20);
    expect(new Set(MUTANTS.map(({ name }) => name)).size).toBe(MUTANTS.length);
  });

  it.each(MUTANTS)(
    'name a guard that stands in its file, once: $name',
    ({ file, guard, without }) => {
      expect(readFileSync(file, 'utf8').split(guard)).toHaveLength(2);
      expect(without).not.toBe(guard);
    },
  );

  it.each(MUTANTS)('name specs that are there: $name', ({ specs }) => {
    const isThere = (spec: string) =>
      existsSync(spec) ||
      readdirSync(path.dirname(spec)).some((file) => file.startsWith(path.basename(spec)));
    expect(specs.filter((spec) => !isThere(spec))).toEqual([]);
    expect(specs).not.toEqual([]);
  });
});
