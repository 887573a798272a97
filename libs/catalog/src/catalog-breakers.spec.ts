import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CatalogBreakers } from './catalog-breakers.js';
import { FAILURES_THAT_OPEN, OPEN_AT_MOST_MS } from './limits.js';

const APP = 'app_01jz8m0000000000000000003f';
/** Longer than a breaker is open at first, with its jitter. */
const FIRST_PAUSE_MS = 6_000;

describe('the breaker of a catalog', () => {
  let breakers: CatalogBreakers;
  let isAway: boolean;
  beforeEach(() => {
    vi.useFakeTimers({
      toFake: ['Date', 'performance', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'],
    });
    breakers = new CatalogBreakers();
    isAway = true;
  });
  afterEach(() => void vi.useRealTimers());

  const call = (appId = APP, answer: () => Promise<string> = async () => 'answer') =>
    breakers.run(appId, answer, () => isAway);
  const failAll = async () => {
    for (let n = 0; n < FAILURES_THAT_OPEN; n += 1) expect(await call()).toBe('answer');
  };

  it('lets calls through until five in a row have failed', async () => {
    for (let n = 1; n < FAILURES_THAT_OPEN; n += 1) await call();
    isAway = false;
    await call();
    isAway = true;
    await failAll();
    expect([await call(), await call('app_other')]).toEqual([undefined, 'answer']);
  });

  it('lets one call through after a while, and all of them when that succeeds', async () => {
    await failAll();
    vi.advanceTimersByTime(FIRST_PAUSE_MS);
    isAway = false;
    let end: (answer: string) => void = () => undefined;
    const probe = call(APP, () => new Promise((resolve) => (end = resolve)));
    expect(await call()).toBeUndefined();
    end('probed');
    expect(await probe).toBe('probed');
    expect(await call()).toBe('answer');
  });

  it('lets the next call through where one said nothing of the backend', async () => {
    await failAll();
    vi.advanceTimersByTime(FIRST_PAUSE_MS);
    const ours = new Error('the proxy is away');
    await expect(call(APP, () => Promise.reject(ours))).rejects.toThrow(ours);
    expect(await call()).toBe('answer');
    expect(await call()).toBeUndefined();
  });

  it('is open for longer each time, up to a bound that players can wait for', async () => {
    await failAll();
    for (let n = 0; n < 10; n += 1) {
      vi.advanceTimersByTime(OPEN_AT_MOST_MS * 1.2);
      expect([await call(), await call()]).toEqual(['answer', undefined]);
    }
  });
});
