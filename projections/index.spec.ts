import { describe, expect, it } from 'vitest';
import { readdirSync } from 'node:fs';
import { checkProjections } from '#projection-engine/define';
import { projections } from './index.js';

describe('the list of projections', () => {
  it('has every projection, under the name of its file', () => {
    const files = readdirSync(import.meta.dirname).filter((file) =>
      file.endsWith('.projection.ts'),
    );
    const named = projections.map(({ name }) => `${name}.projection.ts`);
    expect(named.sort()).toEqual(files.sort());
  });

  it('has a recipe for each, in a file of its name, by which it is verified', () => {
    const files = readdirSync(`${import.meta.dirname}/recipes`);
    for (const { name, recipe } of projections) {
      expect([name, recipe === undefined]).toEqual([name, false]);
      expect(files).toContain(`${name}.ts`);
    }
  });

  it('has projections that can live beside each other', () => {
    expect(() => checkProjections(projections)).not.toThrow();
  });

  it('has projections that know the events of their categories', () => {
    for (const { name, eventTypes } of projections) {
      expect([name, eventTypes]).not.toEqual([name, []]);
    }
  });
});
