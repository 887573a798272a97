import { describe, expect, it } from 'vitest';
import type { EventStore } from '#event-store';
import { silent } from '../spec-support/fakes.js';
import { TimeIndexWriter } from './time-index-writer.js';

/** The records that the holder of a partition appends before it is stopped. */
async function run(partition: number, isAway = false): Promise<string[]> {
  const appended: string[] = [];
  const store: Pick<EventStore, 'append' | 'readStream'> = {
    append: async (streamName) => {
      if (isAway) throw new Error('the store is away');
      appended.push(streamName);
      return { revision: 0, position: '' };
    },
    async *readStream() {
      // None was written yet.
    },
  };
  await new TimeIndexWriter(store, { partition }, silent).run(AbortSignal.abort());
  return appended;
}

describe('the time', () => {
  it('is recorded by the holder of the first partition alone', async () => {
    expect(await run(0)).toEqual(['$$time_index-hours', 'time_index-hours']);
    expect(await run(1)).toEqual([]);
  });

  it('is recorded later where the store is away', async () => {
    expect(await run(0, true)).toEqual([]);
  });
});
