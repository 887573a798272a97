import { describe, expect, it } from 'vitest';
import { askAgainAfterMs, gatewayRetryMs } from './job-result.js';

const HOUR_MS = 3_600_000;

describe('waiting for a gateway', () => {
  it('is short after a failure', () => {
    expect([0, 0.5, 1].map(gatewayRetryMs)).toEqual([400, 500, 600]);
  });

  it('grows with the age of what has no outcome, from a second to ten minutes', () => {
    const waits = [-HOUR_MS, 0, 4_000, 40_000, HOUR_MS, 1_000 * HOUR_MS];
    expect(waits.map((ageMs) => askAgainAfterMs(ageMs, 0.5))).toEqual([
      ...[1_000, 1_000, 1_000, 10_000],
      ...[600_000, 600_000],
    ]);
    expect(askAgainAfterMs(0, 0)).toBe(800);
    expect(askAgainAfterMs(1_000 * HOUR_MS, 0.5, 24 * HOUR_MS)).toBe(24 * HOUR_MS);
  });
});
