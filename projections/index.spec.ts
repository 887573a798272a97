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

  it('has projections that can live beside each other', () => {
    expect(() => checkProjections(projections)).not.toThrow();
  });

  it('has projections that know the events of their categories', () => {
    for (const { name, eventTypes } of projections) {
      expect([name, eventTypes]).not.toEqual([name, []]);
    }
  });
});
