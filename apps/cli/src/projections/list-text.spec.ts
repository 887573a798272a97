import { describe, expect, it } from 'vitest';
import type { DescribedGeneration, DescribedReadModel } from '#read-model-operations';
import { printReadModels } from './list-text.js';

const GENERATION: DescribedGeneration = {
  ...{ generation: 1, state: 'answering', note: null, position: '7', oldestUnappliedSeconds: 0 },
  places: { checkpoint: 12, building: 0, former: 0 },
  ...{ documents: 1_200, entries: 3_000, parkedStreams: 0, bytes: 1_500_000 },
  ...{ formerUntil: null, findings: [], checked: null, check: null },
  ...{ hold: false, isPaused: false, maxPerSecond: null },
};
const OWN: DescribedReadModel = {
  ...{ readModel: 'plans.3.abcdef', projection: 'plans', version: 3, isOfThisRelease: true },
  ...{ isFed: true, keptUntil: null, areActsReadable: true, generations: [GENERATION] },
};

const print = (...readModels: readonly DescribedReadModel[]) =>
  printReadModels({ head: '9', headAgeSeconds: 30, readModels });

const withGeneration = (change: Partial<DescribedGeneration>): DescribedReadModel => ({
  ...OWN,
  generations: [{ ...GENERATION, ...change }],
});

describe('the list of read models', () => {
  it('has a row for each generation, and the age of the newest event', () => {
    const until = '2027-02-01T10:00:00.000Z';
    const former = { ...GENERATION, generation: 2, state: 'former', formerUntil: until } as const;
    const generations = [GENERATION, { ...former, oldestUnappliedSeconds: 90, parkedStreams: 3 }];
    expect(print({ ...OWN, generations })).toBe(
      [
        'READ MODEL      GENERATION  STATE      PARTITIONS  OLDEST UNAPPLIED  PARKED  DOCUMENTS  MEMORY (ABOUT)  KEPT UNTIL',
        'plans.3.abcdef  1           answering  12          none              0       1,200      1.5 MB',
        'plans.3.abcdef  2           former     12          90 s              3       1,200      1.5 MB          2027-02-01 10:00:00Z',
        '',
        'The newest event of the store is 30 s old.',
      ].join('\n'),
    );
  });

  it.each([
    [
      { state: 'missing', note: 'Redis has nothing of it', position: null },
      'is missing: Redis has nothing of it',
    ],
    [{ state: 'held', findings: ['x is parked'] }, 'is held by the gate: x is parked'],
    [{ state: 'verified', checked: 1_000 }, 'waits for its swap: 1,000 documents agree'],
    [{ state: 'verified', checked: 1 }, 'waits for its swap: 1 document agrees'],
    [{ check: 'due' }, 'answered since nothing else did, and is verified now'],
    [{ check: 'differs' }, 'differs from the events: "verify" names the differences'],
    [{ state: 'building', isPaused: true }, 'is paused'],
    [{ state: 'building', hold: true }, 'is to wait for its swap behind the gate'],
    [{ state: 'building', maxPerSecond: 5_000 }, 'takes in at most 5,000 events a second'],
  ] as const)('explains %j', (change, sentence) => {
    const lines = print(withGeneration(change)).split('\n');
    expect(lines.at(-1)).toBe(`plans.3.abcdef: generation 1 ${sentence}.`);
  });

  it.each([
    [{ isFed: false }, 'no projector runs'],
    [
      { areActsReadable: false },
      'a newer release has acted on it in a way that this one cannot read',
    ],
    [{ isOfThisRelease: false }, 'of another release, a projector of which feeds it'],
    [
      { isOfThisRelease: false, isFed: false },
      'of another release, and not fed: it catches up when a projector of that release is started',
    ],
  ])('explains %j of a whole read model', (change, sentence) => {
    const lines = print({ ...OWN, ...change }).split('\n');
    expect(lines.at(-1)).toBe(`plans.3.abcdef: ${sentence}.`);
  });

  it('says until when a version that is not fed is kept, and that a store is empty', () => {
    const keptUntil = '2027-02-01T10:00:00.000Z';
    expect(print({ ...OWN, isOfThisRelease: false, isFed: false, keptUntil })).toContain(
      '2027-02-01 10:00:00Z',
    );
    const empty = printReadModels({ head: '', headAgeSeconds: null, readModels: [] });
    expect(empty).toContain('The event store has no event.');
  });
});
