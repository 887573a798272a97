import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
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

  it('are as many as the capacity, the last ones, however many came before', () => {
    const recent = new RecentIds(CAPACITY);
    const ids = Array.from({ length: 50 * CAPACITY }, id);
    ids.forEach((event, revision) => recent.remember(STREAM, event, at(revision)));
    const found = ids.filter((event) => recent.find(STREAM, event) !== undefined);
    expect(found).toEqual(ids.slice(-CAPACITY));
  });

  it('of an event that is remembered again stay in their place', () => {
    const recent = new RecentIds(2);
    const [first, second, third] = [id(), id(), id()];
    recent.remember(STREAM, first, at(0));
    recent.remember(STREAM, second, at(1));
    recent.remember(STREAM, first, at(0));
    recent.remember(STREAM, third, at(2));
    expect(recent.find(STREAM, first)).toBeUndefined();
    expect(recent.find(STREAM, second)).toEqual(at(1));
    expect(recent.find(STREAM, third)).toEqual(at(2));
  });
});
