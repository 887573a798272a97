import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { BoundedLookups, LISTED_AT_ONCE } from './bounded-lookups.js';

const ids = (name: string, count: number) =>
  Array.from({ length: count }, (_, number) => `${name}${number}`);

describe('look-ups of ids that callers can make up', () => {
  let reads: string[];
  let lookups: BoundedLookups<string>;

  beforeEach(() => {
    vi.useFakeTimers();
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
  afterEach(() => void vi.useRealTimers());

  it('answer every one that is there, however many come at once', async () => {
    const found = Promise.all(ids('there', 2000).map((id) => lookups.find(id)));
    await vi.advanceTimersByTimeAsync(100);
    expect(await found).toEqual(ids('there', 2000));
    expect(reads).toHaveLength(2000);
  });

  it('ask for one that is none once in a second, and for one that is asked for at once a single time', async () => {
    const asked = Promise.all(ids('none', 5).map(() => lookups.find('none')));
    await vi.advanceTimersByTimeAsync(900);
    expect(await asked).toEqual(Array(5).fill('none'));
    expect(await lookups.find('none')).toBe('none');
    expect(reads).toEqual(['none']);
    await vi.advanceTimersByTimeAsync(200);
    const again = lookups.find('none');
    await vi.advanceTimersByTimeAsync(1);
    expect(await again).toBe('none');
    expect(reads).toEqual(['none', 'none']);
  });

  it('ask for a hundred in a second that are none, and say nothing of the others', async () => {
    const flood = Promise.all(ids('none', 1500).map((id) => lookups.find(id)));
    await vi.advanceTimersByTimeAsync(900);
    expect(reads).toHaveLength(100);
    await vi.advanceTimersByTimeAsync(4200);
    expect((await flood).filter((answer) => answer === undefined)).toHaveLength(1000);
    expect(reads).toHaveLength(500);
  });

  it('let the newest through first: one that is there is found in a flood of others', async () => {
    void Promise.all(ids('none', 3000).map((id) => lookups.find(id)));
    await vi.advanceTimersByTimeAsync(500);
    const there = lookups.find('there');
    await vi.advanceTimersByTimeAsync(510);
    expect(reads.at(-1)).not.toBe('none2999');
    expect(reads).toContain('there');
    expect(await there).toBe('there');
  });

  describe('beside a flood that goes on', () => {
    const LISTED = 251;

    /** Three hundred made-up ids in a second, while those that are there are asked for one after another. */
    async function ask(isListed?: (id: string) => Promise<boolean>) {
      const bounded = new BoundedLookups<string>(
        async (id) => {
          reads.push(id);
          await new Promise((resolve) => setTimeout(resolve, 1));
          return id;
        },
        (id) => id.startsWith('there'),
        isListed,
      );
      const answers: Promise<string | undefined>[] = [];
      for (let tenth = 0; tenth < 100; tenth += 1) {
        for (const id of ids(`none${tenth}-`, 30)) void bounded.find(id);
        if (tenth >= 20) answers.push(...ids(`there${tenth}-`, 4).map((id) => bounded.find(id)));
        await vi.advanceTimersByTimeAsync(100);
      }
      await vi.advanceTimersByTimeAsync(6000);
      return (await Promise.all(answers)).slice(0, LISTED);
    }

    it('find every one that a list has, and no more than a hundred in a second of the others', async () => {
      const found = await ask(async (id) => id.startsWith('there'));
      expect(found.filter((answer) => answer === undefined)).toHaveLength(0);
      expect(found).toHaveLength(LISTED);
      expect(reads.filter((id) => id.startsWith('none')).length).toBeLessThanOrEqual(1_700);
    });

    it('look up so many at once at most that a list has, and all of them within the wait', async () => {
      let [underWay, most] = [0, 0];
      const bounded = new BoundedLookups<string>(
        async (id) => {
          most = Math.max(most, ++underWay);
          await new Promise((resolve) => setTimeout(resolve, 1));
          underWay -= 1;
          return id;
        },
        (id) => id.startsWith('there'),
        async (id) => id.startsWith('there'),
      );
      for (const id of ids('none', 100)) void bounded.find(id);
      await vi.advanceTimersByTimeAsync(10);
      most = 0;
      const found = Promise.all(ids('there', 2000).map((id) => bounded.find(id)));
      await vi.advanceTimersByTimeAsync(500);
      expect(await found).toEqual(ids('there', 2000));
      expect(most).toBe(LISTED_AT_ONCE);
    });

    it('refuse those that a list has where the store is slow, and keep none of their places', async () => {
      let isSlow = true;
      const bounded = new BoundedLookups<string>(
        async (id) => {
          reads.push(id);
          await new Promise((resolve) => setTimeout(resolve, isSlow ? 60_000 : 1));
          return id;
        },
        () => true,
        async () => true,
      );
      const flood: Promise<string | undefined>[] = [];
      let refused = 0;
      for (const name of ['a', 'b', 'c']) {
        flood.push(...ids(name, 1000).map((id) => bounded.find(id)));
        await vi.advanceTimersByTimeAsync(1);
      }
      for (const each of flood)
        void each.then((answer) => (refused += answer === undefined ? 1 : 0));
      await vi.advanceTimersByTimeAsync(100);
      expect(refused).toBe(3000 - 100 - LISTED_AT_ONCE - 2000);
      await vi.advanceTimersByTimeAsync(5_000);
      expect(reads).toHaveLength(100 + LISTED_AT_ONCE);
      isSlow = false;
      await vi.advanceTimersByTimeAsync(60_000);
      const answers = await Promise.all(flood);
      expect(answers.filter((answer) => answer !== undefined)).toHaveLength(100 + LISTED_AT_ONCE);
      const next = Promise.all(ids('next', 2000).map((id) => bounded.find(id)));
      await vi.advanceTimersByTimeAsync(500);
      expect(await next).toEqual(ids('next', 2000));
    });

    it('find what is listed at once, and do not wait for a list that does not answer', async () => {
      const flood = new BoundedLookups<string>(
        async (id) => id,
        (id) => id.startsWith('there'),
        (id) => (id === 'there' ? Promise.resolve(true) : new Promise(() => undefined)),
      );
      for (const id of ids('none', 3000)) void flood.find(id);
      const silent = flood.find('there, but the list is silent');
      expect(await flood.find('there')).toBe('there');
      await vi.advanceTimersByTimeAsync(1100);
      expect(await silent).toBe('there, but the list is silent');
    });

    it('stay bounded where the list is out of reach', async () => {
      const found = await ask(async () => Promise.reject(new Error('out of reach')));
      expect(found.filter((answer) => answer === undefined).length).toBeGreaterThan(0);
      expect(reads.length).toBeLessThanOrEqual(1_700 + LISTED);
    });
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
