import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Breaker } from './breaker.js';

const OPTIONS = { failures: 3, openAtFirstMs: 1_000, openAtMostMs: 4_000 };
const LONGER = 1.2;

describe('a breaker', () => {
  let breaker: Breaker;
  beforeEach(() => {
    vi.useFakeTimers();
    breaker = new Breaker(OPTIONS);
  });
  afterEach(() => void vi.useRealTimers());

  const fail = async (times: number) => {
    for (let n = 0; n < times; n += 1) await breaker.note(false);
  };
  const pass = (ms: number) => vi.advanceTimersByTime(ms);

  it('opens when so many calls in a row have failed, and not before', async () => {
    await fail(2);
    await breaker.note(true);
    await fail(2);
    expect([breaker.state, breaker.openUntilMs]).toEqual(['closed', 0]);
    await fail(1);
    expect(breaker.state).toBe('open');
    expect(breaker.openUntilMs).toBeGreaterThan(Date.now());
  });

  it('is half open after its time, and closed by a success alone that comes then', async () => {
    await fail(3);
    await breaker.note(true);
    expect(breaker.state).toBe('open');
    pass(LONGER * 1_000);
    expect(breaker.state).toBe('half_open');
    await breaker.note(true);
    expect(breaker.state).toBe('closed');
    await fail(2);
    expect(breaker.state).toBe('closed');
  });

  it('opens for twice as long each time, up to a bound, a fifth shorter or longer', async () => {
    await fail(3);
    for (const openMs of [1_000, 2_000, 4_000, 4_000]) {
      const forMs = breaker.openUntilMs - Date.now();
      expect(Math.abs(forMs - openMs)).toBeLessThanOrEqual(openMs * 0.2);
      // Calls that began before it opened do not make it open for longer.
      await fail(1);
      expect(breaker.openUntilMs - Date.now()).toBe(forMs);
      pass(forMs);
      await fail(1);
    }
  });

  it('that begins half open lets one call decide', async () => {
    breaker = Breaker.halfOpen(OPTIONS);
    expect(breaker.state).toBe('half_open');
    await fail(1);
    expect(breaker.state).toBe('open');
    breaker = Breaker.halfOpen(OPTIONS);
    await breaker.note(true);
    expect(breaker.state).toBe('closed');
  });
});
