import { getEventListeners } from 'node:events';
import { describe, expect, it } from 'vitest';
import { withSignal } from './resilience.js';

const untilAborted = (signal: AbortSignal) =>
  new Promise<unknown>((resolve) => {
    if (signal.aborted) resolve(signal.reason);
    else signal.addEventListener('abort', () => resolve(signal.reason));
  });

describe('a signal for an act', () => {
  it('is aborted when the time is up, as a timeout', async () => {
    const { signal: stop } = new AbortController();
    expect(await withSignal(stop, 1, untilAborted)).toMatchObject({ name: 'TimeoutError' });
  });

  it('is aborted by the stop, for its reason, also where that came before', async () => {
    const stop = new AbortController();
    const reasons = [withSignal(stop.signal, 60_000, untilAborted)];
    stop.abort('stopping');
    reasons.push(withSignal(stop.signal, 60_000, untilAborted));
    expect(await Promise.all(reasons)).toEqual(['stopping', 'stopping']);
  });

  it('leaves no listener at the stop, however many acts there were and however they end', async () => {
    const { signal: stop } = new AbortController();
    const acts = [async () => 'done', async () => Promise.reject(new Error('it failed'))];
    await Promise.allSettled(acts.map((act) => withSignal(stop, 60_000, act)));
    expect(getEventListeners(stop, 'abort')).toHaveLength(0);
  });

  it.each([0, 1, 2])('is not aborted once its act has ended: that of number %s', async (ended) => {
    const stop = new AbortController();
    const signals: AbortSignal[] = [];
    const ends: (() => void)[] = [];
    const act = (signal: AbortSignal) => {
      signals.push(signal);
      return new Promise<void>((resolve) => ends.push(resolve));
    };
    const acts = [1, 2, 3].map(() => withSignal(stop.signal, 60_000, act));
    ends[ended]?.();
    await acts[ended];
    stop.abort('stopping');
    const aborted = signals.map((signal) => signal.aborted);
    expect(aborted).toEqual([0, 1, 2].map((number) => number !== ended));
    for (const end of ends) end();
    await Promise.all(acts);
  });

  it('is aborted by the stop through another one', async () => {
    const stop = new AbortController();
    const inner = withSignal(stop.signal, 60_000, (signal) =>
      withSignal(signal, 60_000, untilAborted),
    );
    stop.abort('stopping');
    expect(await inner).toBe('stopping');
  });

  it('is left by what listened to it', async () => {
    const stop = new AbortController();
    let heard = 0;
    await withSignal(stop.signal, 60_000, async (signal) => {
      const listener = () => void (heard += 1);
      signal.addEventListener('abort', listener);
      signal.removeEventListener('abort', listener);
      stop.abort('stopping');
    });
    expect(heard).toBe(0);
  });
});
