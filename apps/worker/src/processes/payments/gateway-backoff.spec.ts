import { describe, expect, it } from '@jest/globals';
import { GATEWAY_ATTEMPTS } from '../../limits.js';
import { gatewayBackoffMs } from './gateway-backoff.js';

const DAY_MS = 86_400_000;

describe('waiting for a gateway', () => {
  it('is short at first, doubles, and never takes more than an hour and a fifth', () => {
    const waits = [1, 2, 3, 4].map((attempts) => gatewayBackoffMs(attempts, 0.5));
    expect(waits).toEqual([500, 1_000, 2_000, 4_000]);
    expect(gatewayBackoffMs(60, 1)).toBe(4_320_000);
    expect(gatewayBackoffMs(1, 0)).toBe(400);
  });

  it('goes on for about three days in all', () => {
    let totalMs = 0;
    for (let attempts = 1; attempts < GATEWAY_ATTEMPTS; attempts += 1) {
      totalMs += gatewayBackoffMs(attempts, 0.5);
    }
    expect(totalMs / DAY_MS).toBeGreaterThan(2.9);
    expect(totalMs / DAY_MS).toBeLessThan(3.3);
  });
});
