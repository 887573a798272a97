import { describe, expect, it } from 'vitest';
import type { BuildLook } from '#read-model-operations';
import { describeBuild, printBuild, sayBuild } from './build-text.js';

const LOOK: BuildLook = {
  ...{ atMs: 0, done: 3_000, target: 9_000, share: 0.333 },
  partitions: [
    { partition: 0, generation: 2, done: 1_000, target: 3_000, share: 0.333, parkedStreams: 1 },
    { partition: 1, generation: 2, done: 2_000, target: null, share: 0.999, parkedStreams: 0 },
  ],
};
const PACE = { eventsPerSecond: 1_200.4, secondsLeft: 5 };

describe('the progress of a build', () => {
  it('has a row for each partition, and the pace of all', () => {
    expect(printBuild(LOOK, PACE)).toBe(
      [
        'PARTITION  GENERATION  EVENTS DONE  EVENTS TO DO  SHARE  PARKED',
        '0          2           1,000        2,000         33 %   1',
        '1          2           2,000        unknown       99 %   0',
        '',
        '33 %: 3,000 of 9,000 events, 1,200 events/s, about 5 s left.',
      ].join('\n'),
    );
  });

  it('leaves out what is not known', () => {
    expect(sayBuild({ ...LOOK, target: null }, undefined)).toBe('33 %: 3,000 events.');
    expect(sayBuild(LOOK, { eventsPerSecond: 0, secondsLeft: null })).toBe(
      '33 %: 3,000 of 9,000 events, 0 events/s.',
    );
  });

  it('is one object for programs', () => {
    const { partitions } = LOOK;
    expect(describeBuild(LOOK, PACE)).toEqual({
      ...{ done: 3_000, target: 9_000, toDo: 6_000, share: 0.333, ...PACE, partitions },
    });
    expect(describeBuild({ ...LOOK, target: null }, undefined)).toMatchObject({
      ...{ target: null, toDo: null, eventsPerSecond: null, secondsLeft: null },
    });
  });
});
