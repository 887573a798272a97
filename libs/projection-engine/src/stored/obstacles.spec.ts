import { describe, expect, it } from 'vitest';
import { type BuildingGeneration, findGenerations, type Generations } from '#domain/projection';
import { describeObstacle } from './obstacles.js';

const readModel = 'subscriptions.15.aaaaaa';
const other = 'subscriptions.14.3f09ab';
const begun: BuildingGeneration = {
  ...{ generation: 1, hold: false, maxPerSecond: null },
  ...{ isPaused: false, gate: null },
};
const first = (changes: Partial<BuildingGeneration> | null): Generations => ({
  ...findGenerations({}, readModel),
  answering: null,
  building: changes && { ...begun, ...changes },
});
const gate = { kind: 'held', findings: ['a list has another count'] } as const;

describe('the obstacle of a read model of which nothing answers', () => {
  it('is none while it is built, and none where one of its generations answers', () => {
    expect(describeObstacle(readModel, first({}), other)).toBeUndefined();
    const rebuilt = { ...first({ gate }), answering: 1 };
    expect(describeObstacle(readModel, rebuilt, other)).toBeUndefined();
  });

  it('is the gate, with its findings apart and both commands', () => {
    expect(describeObstacle(readModel, first({ gate }), other)).toEqual({
      sentence:
        'The gate holds generation 1 of subscriptions.15.aaaaaa, and subscriptions.14.3f09ab answers in its place: ' +
        'type subledger projections swap subscriptions --anyway --reason "...", or start the former release again.',
      findings: ['a list has another count'],
    });
  });

  it.each([
    [first({ gate: { kind: 'verified', checked: 3 }, hold: true }), 'An operator holds', 'swap'],
    [first({ isPaused: true, gate }), 'The build of', 'resume'],
    [first(null), 'Nothing of', 'rebuild'],
  ])('names the command of an operator who has stopped it', (acts, why, act) => {
    const { sentence, findings } = describeObstacle(readModel, acts, other) ?? {};
    expect(sentence).toContain(`type subledger projections ${act} subscriptions --reason "..."`);
    expect(sentence).toMatch(new RegExp(`^${why} .*subscriptions.15.aaaaaa`));
    expect(findings).toEqual([]);
  });
});
