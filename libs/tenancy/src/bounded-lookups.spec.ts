import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { BoundedLookups } from './bounded-lookups.js';

const ids = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${name}${number}`);

describe('look-ups of ids that callers can make up', () => {
  let reads: string[];
  let lookups: BoundedLookups<string>;

  beforeEach(() => {
    jest.useFakeTimers();
    reads = [];
    lookups = new BoundedLookups(
      async (id) => {
        reads.push(id);
        await new Promise((resolve) => setTimeout(resolve, 1));
        return id;
      },
      (id) => id.startsWith('there'),
    );
  });
  afterEach(() => void jest.useRealTimers());

  it('answer every one that is there, however many come at once', async () => {
    const found = Promise.all(ids('there', 2000).map((id) => lookups.find(id)));
    await jest.advanceTimersByTimeAsync(100);
    expect(await found).toEqual(ids('there', 2000));
    expect(reads).toHaveLength(2000);
  });

  it('ask for one that is none once in a second, and for one that is asked for at once a single time', async () => {
    const asked = Promise.all(ids('none', 5).map(() => lookups.find('none')));
    await jest.advanceTimersByTimeAsync(900);
    expect(await asked).toEqual(Array(5).fill('none'));
    expect(await lookups.find('none')).toBe('none');
    expect(reads).toEqual(['none']);
    await jest.advanceTimersByTimeAsync(200);
    const again = lookups.find('none');
    await jest.advanceTimersByTimeAsync(1);
    expect(await again).toBe('none');
    expect(reads).toEqual(['none', 'none']);
  });

  it('ask for a hundred in a second that are none, and say nothing of the others', async () => {
    const flood = Promise.all(ids('none', 1500).map((id) => lookups.find(id)));
    await jest.advanceTimersByTimeAsync(900);
    expect(reads).toHaveLength(100);
    await jest.advanceTimersByTimeAsync(4200);
    expect((await flood).filter((answer) => answer === undefined)).toHaveLength(1000);
    expect(reads).toHaveLength(500);
  });

  it('let the newest through first: one that is there is found in a flood of others', async () => {
    void Promise.all(ids('none', 3000).map((id) => lookups.find(id)));
    await jest.advanceTimersByTimeAsync(500);
    const there = lookups.find('there');
    await jest.advanceTimersByTimeAsync(510);
    expect(reads.at(-1)).not.toBe('none2999');
    expect(reads).toContain('there');
    expect(await there).toBe('there');
  });

  it('give room back where the store is out of reach', async () => {
    const failing = new BoundedLookups<string>(
      async () => Promise.reject(new Error('out of reach')),
      () => false,
    );
    const outcomes = await Promise.allSettled(ids('any', 300).map((id) => failing.find(id)));
    expect(outcomes.every(({ status }) => status === 'rejected')).toBe(true);
  });
});
