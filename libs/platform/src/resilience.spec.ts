import { getEventListeners } from 'node:events';
import { describe, expect, it, vi } from 'vitest';
import { Fault } from './fault.js';
import {
  jitteredDelayMs,
  retry,
  sleep,
  sleepUntilTick,
  withSignal,
  withTimeLimit,
} from './resilience.js';

const unavailable = new Fault('unavailable', 'gone', { retryable: true });
const refused = new Fault('refused', 'no', { retryable: false });
const quickly = { baseMs: 1, capMs: 2 };

describe('retry', () => {
  it('tries until it succeeds', async () => {
    const attempt = vi.fn(async (number: number) => {
      if (number < 2) throw unavailable;
      return number;
    });
    await expect(retry(attempt, { ...quickly, attempts: 5 })).resolves.toBe(2);
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it('ends with the last error when the attempts are used up', async () => {
    const attempt = vi.fn(() => Promise.reject(unavailable));
    await expect(retry(attempt, { ...quickly, attempts: 3 })).rejects.toBe(unavailable);
    expect(attempt).toHaveBeenCalledTimes(3);
  });

  it('ends when the next attempt would begin after the deadline', async () => {
    const attempt = () => Promise.reject(unavailable);
    const started = performance.now();
    const retried = retry(attempt, { baseMs: 5, capMs: 5, deadlineMs: 50 });
    await expect(retried).rejects.toBe(unavailable);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('does not repeat what another attempt cannot help', async () => {
    const attempt = vi.fn(() => Promise.reject(refused));
    await expect(retry(attempt, { ...quickly, attempts: 3 })).rejects.toBe(refused);
    expect(attempt).toHaveBeenCalledTimes(1);
  });

  it('stops waiting when it is aborted', async () => {
    const controller = new AbortController();
    const attempt = async () => {
      controller.abort(new Error('stopping'));
      return Promise.reject(unavailable);
    };
    const retried = retry(attempt, { baseMs: 60_000, capMs: 60_000, signal: controller.signal });
    await expect(retried).rejects.toBe(unavailable);
  });
});

describe('waiting', () => {
  it('has full jitter, grows with the attempts, and is capped', () => {
    const delays = Array.from({ length: 500 }, () => jitteredDelayMs(3, 10, 50));
    expect(Math.max(...delays)).toBeLessThanOrEqual(50);
    expect(Math.max(...delays)).toBeGreaterThan(40);
    expect(Math.min(...delays)).toBeLessThan(10);
    expect(jitteredDelayMs(0, 10, 50)).toBeLessThanOrEqual(10);
  });

  it('for a tick ends together for loops that began at different times', async () => {
    vi.useFakeTimers();
    try {
      const woken: number[] = [];
      const loop = async () => {
        await sleepUntilTick(1_000, new AbortController().signal);
        woken.push(performance.now());
      };
      const loops = [loop()];
      await vi.advanceTimersByTimeAsync(100);
      loops.push(loop());
      await vi.advanceTimersByTimeAsync(2_000);
      await Promise.all(loops);
      expect(woken[1]).toBe(woken[0]);
    } finally {
      vi.useRealTimers();
    }
  });

  it('ends early with the reason of the abort', async () => {
    const controller = new AbortController();
    const sleeping = sleep(60_000, controller.signal);
    controller.abort(new Error('stopping'));
    await expect(sleeping).rejects.toThrow('stopping');
  });

  it('is no leak where many wait for one signal, which Node.js would warn of', async () => {
    const { signal } = new AbortController();
    await sleep(1, signal);
    const limit = Object.getOwnPropertySymbols(signal).find(
      ({ description }) => description === 'events.maxEventTargetListeners',
    );
    expect(limit && Reflect.get(signal, limit)).toBe(0);
  });

  it('for a promise is limited', async () => {
    const never = new Promise(() => undefined);
    await expect(withTimeLimit(never, 5, 'the store')).rejects.toThrow(/the store did not answer/);
    await expect(withTimeLimit(Promise.resolve(1), 5, 'the store')).resolves.toBe(1);
  });
});

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
});
