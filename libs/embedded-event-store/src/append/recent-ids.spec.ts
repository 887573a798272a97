import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { RecentIds } from './recent-ids.js';

const CAPACITY = 100;
const STREAM = 7;
const id = () => randomBytes(16);
const at = (revision: number) => ({ revision, position: revision });

describe('the ids of recent events', () => {
  it('are found by stream and id', () => {
    const recent = new RecentIds(CAPACITY);
    const event = id();
    recent.remember(STREAM, event, at(3));
    expect(recent.find(STREAM, event)).toEqual(at(3));
    expect(recent.find(STREAM + 1, event)).toBeUndefined();
    expect(recent.find(STREAM, id())).toBeUndefined();
  });

  it('are at least as many as the capacity, and twice as many at most, however many came before', () => {
    const recent = new RecentIds(CAPACITY);
    const ids = Array.from({ length: 50 * CAPACITY + 30 }, id);
    for (const [revision, event] of ids.entries()) {
      recent.remember(STREAM, event, at(revision));
      const first = ids[revision - CAPACITY + 1];
      if (first) expect(recent.find(STREAM, first)).toEqual(at(revision - CAPACITY + 1));
    }
    const found = ids.filter((event) => recent.find(STREAM, event) !== undefined);
    expect(found).toEqual(ids.slice(-CAPACITY - 30));
  });

  it('say where an event is now that is remembered again', () => {
    const recent = new RecentIds(2);
    const [first, second] = [id(), id()];
    recent.remember(STREAM, first, at(0));
    recent.remember(STREAM, first, at(4));
    expect(recent.find(STREAM, first)).toEqual(at(4));
    recent.remember(STREAM, second, at(5));
    recent.remember(STREAM, first, at(2 ** 33));
    expect(recent.find(STREAM, first)).toEqual(at(2 ** 33));
    expect(recent.find(STREAM, second)).toEqual(at(5));
  });

  it('of two streams are two', () => {
    const recent = new RecentIds(1000);
    const event = id();
    const streams = Array.from({ length: 1000 }, (_, n) => n + 1);
    for (const stream of streams) recent.remember(stream, event, at(stream));
    expect(streams.map((stream) => recent.find(stream, event)?.revision)).toEqual(streams);
    expect(recent.find(1001, event)).toBeUndefined();
  });
});
