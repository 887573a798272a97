import { expect, it } from 'vitest';
import { findAll, listed, readSources } from './sources.js';

const sources = readSources().filter(({ file }) => !/\.spec\.ts$|\/spec-support\//.test(file));

/** A recipe that took a list, a codec or a fold from a projection would have its mistakes, too. */
it('recipes share nothing with the projections that are verified by them', () => {
  const recipes = sources.filter(({ file }) => file.startsWith('projections/recipes/'));
  expect(recipes.length).toBeGreaterThan(7);
  const imports = /^import (?:type )?\{[^}]*\} from '[^']+';$/gms;
  const isAllowed = ({ found }: { found: string }) =>
    / from '(?:#domain\/[\w-]+|\.\/[\w-]+\.js)';$/.test(found) ||
    /^import type \{[^}]*\} from '#projection-engine\/define';$/s.test(found);
  const places = findAll(recipes, imports);
  expect(places.length).toBeGreaterThan(recipes.length);
  expect(listed(places.filter((place) => !isAllowed(place)))).toEqual([]);
});

/** The domain's shortened folds are those of projections: recipes fold whole streams by the deciders. */
it('recipes fold by whole aggregates', () => {
  const recipes = sources.filter(({ file }) => file.startsWith('projections/recipes/'));
  const shortened =
    /\b(?:evolve[A-Z]\w+|initialProgress|beginSchedule|isScheduleOver|scheduleDueAt)\b/g;
  const isDecider = ({ file }: { file: string }) => file.endsWith('/by-aggregate.ts');
  const places = findAll(recipes, /\bevolve\b/g);
  expect(places.filter(isDecider).length).toBeGreaterThan(0);
  expect(listed(findAll(recipes, shortened))).toEqual([]);
});

/** A mistake of the engine would be in the verification, too. */
it('the verification takes keys, checkpoints and definitions from the engine, and nothing else', () => {
  const verification = sources.filter(({ file }) => file.startsWith('libs/verification/'));
  const imports = /^import (?:type )?\{[^}]*\} from '[^']*projection-engine[^']*';$/gms;
  const allowed = new Set([
    ...['Checkpoint', 'decodeCheckpoint', 'GenerationKeys', 'PlacedInPartition'],
    // The question of the gate: a type.
    'CheckedStreams',
    ...['nameReadModel', 'readModelPattern'],
  ]);
  const isAllowed = ({ found }: { found: string }) => {
    if (found.endsWith("'#projection-engine/define';")) return true;
    const names =
      /\{([^}]*)\}/s
        .exec(found)?.[1]
        ?.split(',')
        .map((name) => name.trim())
        .filter((name) => name !== '') ?? [];
    const isOfDoor = found.endsWith("'#projection-engine';");
    return isOfDoor && names.every((name) => allowed.has(name.replace(/^type /, '')));
  };
  const places = findAll(verification, imports);
  expect(places.length).toBeGreaterThan(4);
  expect(listed(places.filter((place) => !isAllowed(place)))).toEqual([]);
});
