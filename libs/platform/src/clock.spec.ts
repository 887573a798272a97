import { describe, expect, it } from 'vitest';
import { wallClock } from './clock.js';

describe('the wall clock', () => {
  it('shows the present instant, within a millisecond and in the next ones', () => {
    const startedAt = Date.now();
    const seen = new Set<string>();
    while (seen.size < 3) {
      const before = Date.now();
      const shown = wallClock.now();
      expect(shown).toBe(new Date(Date.parse(shown)).toISOString());
      expect(Date.parse(shown)).toBeGreaterThanOrEqual(before);
      expect(Date.parse(shown)).toBeLessThanOrEqual(Date.now());
      seen.add(shown);
    }
    expect([...seen][0]! >= new Date(startedAt).toISOString()).toBe(true);
  });
});
