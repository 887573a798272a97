import { describe, expect, it } from 'vitest';
import { type BuildLook, measurePace, type PartitionProgress } from './progress.js';

const PARTITION: PartitionProgress = {
  ...{ partition: 0, generation: 2, done: 0, target: 100, share: 0, parkedStreams: 0 },
};

function look(atMs: number, share: number, part: Partial<PartitionProgress> = {}): BuildLook {
  const done = 1_000 * share;
  return { atMs, partitions: [{ ...PARTITION, ...part }], done, target: 1_000, share };
}

describe('the pace of a build', () => {
  it('is the change between the looks', () => {
    const pace = measurePace(look(0, 0.1), look(2_000, 0.3));
    expect(pace).toEqual({ eventsPerSecond: 100, secondsLeft: expect.closeTo(7) });
  });

  it('leaves the end open while it stands still', () => {
    expect(measurePace(look(0, 0.5), look(1_000, 0.5))).toEqual({
      ...{ eventsPerSecond: 0, secondsLeft: null },
    });
  });

  it('has nothing left at the end', () => {
    expect(measurePace(look(0, 1), look(1_000, 1))?.secondsLeft).toBe(0);
  });

  it('is unknown between two builds, without one, and where no time passed', () => {
    expect(measurePace(look(0, 0.9), look(1_000, 0.1, { generation: 3 }))).toBeUndefined();
    expect(measurePace(look(0, 0.9), { ...look(1_000, 1), partitions: [] })).toBeUndefined();
    expect(measurePace(look(0, 0.1), look(0, 0.2))).toBeUndefined();
  });
});
