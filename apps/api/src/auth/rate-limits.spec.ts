import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Caller } from '#nest';
import type { OperatorIdentity } from '#tenancy';
import { RateLimits } from './rate-limits.js';

/** The limit that each kind of request counts for (rules/api 19). */
const APP: Caller = { kind: 'app', appId: 'app_1' };
// Of an operator, nothing is looked at.
const OPERATOR: Caller = { kind: 'operator', operator: {} as OperatorIdentity };

function player(name: string): Caller {
  return { kind: 'player', appId: 'app_1', externalAccountId: name, player: name };
}

/** How many of a hundred requests at once get through. */
function ask(limits: RateLimits, caller: Caller): number {
  let admitted = 0;
  for (let n = 0; n < 100; n += 1) {
    try {
      limits.admit(caller);
      admitted += 1;
    } catch (error) {
      expect(error).toMatchObject({ status: 'RESOURCE_EXHAUSTED', reason: 'RATE_LIMITED' });
    }
  }
  return admitted;
}

function limit(requestsPerSecond?: number, playerRequestsPerSecond?: number): RateLimits {
  return new RateLimits({ requestsPerSecond, playerRequestsPerSecond });
}

// All at one moment: on a slow machine there would be room again meanwhile.
beforeEach(() => void vi.spyOn(performance, 'now').mockReturnValue(5_000));
afterEach(() => void vi.restoreAllMocks());

describe('limits of requests', () => {
  it('are none unless they are set', () => {
    const limits = limit();
    expect([ask(limits, APP), ask(limits, player('ann'))]).toEqual([100, 100]);
  });

  it('are not for operators', () => {
    expect(ask(limit(1, 1), OPERATOR)).toBe(100);
  });

  it('of a player take nothing of the app for what they refuse', () => {
    const limits = limit(10, 1);
    expect(ask(limits, player('ann'))).toBe(2);
    expect(ask(limits, APP)).toBe(18);
  });

  it('of an app take nothing of a player for what they refuse', () => {
    const limits = limit(1, 40);
    expect(ask(limits, APP)).toBe(2);
    expect(ask(limits, player('ann'))).toBe(0);
    expect(ask(limit(undefined, 40), player('ann'))).toBe(80);
  });
});
