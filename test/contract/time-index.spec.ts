import { expect, it } from 'vitest';
import { type EventToAppend, recordTime } from '#event-store';
import { golden, pretty } from './golden-files.js';

/** The record of the store's position at a time (decision 0031). */
it('the stored form of a record of the time index is the golden one', async () => {
  const appended: EventToAppend[] = [];
  const store = {
    append: async (_stream: string, _expected: unknown, events: readonly EventToAppend[]) => {
      appended.push(...events);
      return { revision: 0, position: '' };
    },
    async *readStream() {
      // None was written yet.
    },
  };
  await recordTime(store, '2027-01-31T10:00:00.000Z', 'process:index_time');
  const record = appended.at(-1);
  const found = pretty(record?.data);
  expect(record?.type).toBe('time_index.recorded.v1');
  expect(found).toBe(golden('events', 'time_index.recorded.v1', found));
});
