import { beforeEach, describe, expect, it } from 'vitest';
import { addMilliseconds } from '#domain/calendar';
import type { EventToAppend } from './event-store.js';
import { eventOfNoApp } from './event-of-no-app.js';
import { START } from './position.js';
import { MemoryEventStore } from './spec-support/memory-event-store.js';
import { findPlacesOfTime, recordTime, TIME_INDEX_RECORDED } from './time-index.js';

const T0 = '2027-01-31T10:00:00.000Z';
const HOUR_MS = 3_600_000;
const hours = (count: number) => addMilliseconds(T0, count * HOUR_MS);

let store: MemoryEventStore;
beforeEach(() => {
  store = new MemoryEventStore();
});

const record = (now: string) => recordTime(store, now, 'process:index_time');

async function readRecords() {
  const records: { at: string; position: string }[] = [];
  for await (const { type, data, position } of store.readStream('time_index-hours')) {
    expect(type).toBe(TIME_INDEX_RECORDED);
    records.push({ position, ...(data as { at: string }) });
  }
  return records;
}

describe('the time index', () => {
  it('has records an hour apart at least, however often they are asked for', async () => {
    for (const at of [0, 0.5, 0.99, 1, 1.2, 3]) await record(hours(at));
    expect((await readRecords()).map(({ at }) => at)).toEqual([hours(0), hours(1), hours(3)]);
  });

  it('is kept for as long as a time is asked for', async () => {
    await record(T0);
    for await (const { data } of store.readStream('$$time_index-hours')) {
      expect(data).toEqual({ $maxCount: 800 });
    }
    expect(await store.headRevision('$$time_index-hours')).toBe(0);
  });

  it('has one of two records of one moment', async () => {
    store.onAppend = (streamName) => {
      store.onAppend = () => undefined;
      const first: EventToAppend = eventOfNoApp('process:index_time', TIME_INDEX_RECORDED, {
        at: T0,
      });
      store.appendNow(streamName.replace('$$', ''), 'no_stream', [first]);
    };
    await record(T0);
    expect(await readRecords()).toHaveLength(1);
  });
});

describe('the places of a time', () => {
  it('lie between the records before and behind it, as exactly as clocks agree', async () => {
    for (let at = 0; at < 10; at += 1) await record(hours(at));
    const position = new Map((await readRecords()).map((each) => [each.at, each.position]));
    const find = (since: number, until: number) =>
      findPlacesOfTime(store, hours(since), hours(until));
    expect(await find(3.5, 4.5)).toEqual({
      ...{ after: position.get(hours(3)), upTo: position.get(hours(5)) },
    });
    // Five minutes off are less than two clocks may be.
    expect(await find(3 + 1 / 12, 5 - 1 / 12)).toEqual({
      ...{ after: position.get(hours(2)), upTo: position.get(hours(6)) },
    });
    expect(await find(8.5, 9)).toEqual({ after: position.get(hours(8)), upTo: undefined });
    expect(await find(-1, 0)).toEqual({ after: START, upTo: position.get(hours(1)) });
  });

  it('are the whole store where nothing was recorded', async () => {
    const all = { after: START, upTo: undefined };
    expect(await findPlacesOfTime(store, hours(1), hours(2))).toEqual(all);
  });
});
