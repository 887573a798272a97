import { describe, expect, it } from '@jest/globals';
import { lookUntil } from './look-until.js';

/** Longer than a test may take. */
const LIMIT_MS = 600_000;
const stopping = new AbortController().signal;

describe('looking until there is an outcome', () => {
  it('looks at once, and again when there are news', async () => {
    const tellers: (() => void)[] = [];
    const news = () => new Promise<void>((resolve) => tellers.push(resolve));
    const looked: number[] = [];
    const look = async () => {
      looked.push(tellers.length);
      // News that come while it looks are not missed: the wait for them had begun.
      tellers.at(-1)?.();
      return looked.length === 3 ? 'there' : undefined;
    };
    expect(await lookUntil(look, { limitMs: LIMIT_MS, stopping, news })).toBe('there');
    expect(looked).toEqual([1, 2, 3]);
  });

  it('looks again now and then where news are missed, and ends each wait for them', async () => {
    const ended: boolean[] = [];
    const news = (signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        signal.addEventListener('abort', () => {
          ended.push(true);
          resolve();
        });
      });
    let looks = 0;
    const look = async () => ((looks += 1) === 2 ? 'there' : undefined);
    expect(await lookUntil(look, { limitMs: LIMIT_MS, stopping, news })).toBe('there');
    expect(ended).toEqual([true, true]);
  });

  it('gives up at the bound, and at a stop', async () => {
    const never = () => new Promise<void>(() => undefined);
    const look = async (): Promise<string | undefined> => undefined;
    expect(await lookUntil(look, { limitMs: 5, stopping, news: never })).toBe(undefined);
    const stop = new AbortController();
    const looking = lookUntil(look, { limitMs: LIMIT_MS, stopping: stop.signal, news: never });
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
