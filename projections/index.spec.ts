import { describe, expect, it } from '@jest/globals';
import { readdirSync } from 'node:fs';
import { projections } from './index.js';

describe('the list of projections', () => {
  it('has every projection, under the name of its file', () => {
    const files = readdirSync(import.meta.dirname).filter((file) =>
      file.endsWith('.projection.ts'),
    );
    const named = projections.map(({ name }) => `${name}.projection.ts`);
    expect(named.sort()).toEqual(files.sort());
  });

  it('has one projection for a category: the engine gives each stream to one', () => {
    const categories = projections.map(({ category }) => category);
    expect(new Set(categories).size).toBe(categories.length);
  });

  it('has projections that know the events of their category', () => {
    for (const { name, eventTypes } of projections)
      expect([name, eventTypes]).not.toEqual([name, []]);
  });
});
