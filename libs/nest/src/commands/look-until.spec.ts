import { describe, expect, it } from 'vitest';
import { lookUntil } from './look-until.js';

/** Longer than a test may take. */
const LIMIT_MS = 600_000;
const never = () => () => undefined;
const stopping = new AbortController().signal;

describe('looking until there is an outcome', () => {
  it('looks at once, and again when there are news', async () => {
    const told: (() => void)[] = [];
    const onNews = (tell: () => void) => {
      told.push(tell);
      return () => void told.pop();
    };
    const looked: boolean[] = [];
    const look = async (mayHaveMissedNews: boolean) => {
      looked.push(mayHaveMissedNews);
      // News that come while it looks are not missed: the wait for them had begun.
      told.at(-1)?.();
      return looked.length === 3 ? 'there' : undefined;
    };
    expect(await lookUntil(look, { limitMs: LIMIT_MS, stopping, onNews })).toBe('there');
    expect(looked).toEqual([false, false, false]);
    expect(told).toEqual([]);
  });

  it('looks again now and then where news may have been missed, which the look knows', async () => {
    const looked: boolean[] = [];
    const look = async (mayHaveMissedNews: boolean) => {
      looked.push(mayHaveMissedNews);
      return mayHaveMissedNews ? 'there' : undefined;
    };
    expect(await lookUntil(look, { limitMs: LIMIT_MS, stopping, onNews: never })).toBe('there');
    expect(looked).toEqual([false, true]);
  });

  it('gives up at the bound, and at a stop', async () => {
    const look = async (): Promise<string | undefined> => undefined;
    expect(await lookUntil(look, { limitMs: 5, stopping, onNews: never })).toBe(undefined);
    const stop = new AbortController();
    const looking = lookUntil(look, { limitMs: LIMIT_MS, stopping: stop.signal, onNews: never });
    setImmediate(() => {
      stop.abort();
    });
    expect(await looking).toBe(undefined);
  });

  it('without news looks again by itself', async () => {
    let looks = 0;
    const look = async () => ((looks += 1) === 3 ? 'there' : undefined);
    expect(await lookUntil(look, { limitMs: LIMIT_MS, stopping })).toBe('there');
  });
});
