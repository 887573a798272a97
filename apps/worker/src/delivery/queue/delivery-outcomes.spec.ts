import { describe, expect, it } from 'vitest';
import type { InFlightSet } from '../../redis/in-flight-set.js';
import { RETRY_AFTER_MAX_MS } from '../../limits.js';
import { createGate } from '../../feed/spec-support/gate.js';
import { silent } from '../../spec-support/fakes.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import type { QueuedDelivery } from './queued-delivery.js';
import type { RetryQueue } from '../../jobs/retry-queue.js';

const T0 = Date.parse('2027-01-31T10:00:00Z');
const MINUTE_MS = 60_000;

/** The plan after an attempt that failed so long after the first one. */
function planRetry(attempts: number, { sinceMs = 0, retryAfterMs = 0 } = {}) {
  const clock = { now: () => new Date(T0 + sinceMs).toISOString() };
  const outcomes = new DeliveryOutcomes(
    ...([{} as InFlightSet, {} as RetryQueue, createGate().gate, { position: '' }] as const),
    ...([clock, silent] as const),
  );
  // Fields that are not looked at here are left out.
  const item = {
    attempts,
    firstFailedAtMs: attempts === 0 ? undefined : T0,
  } as QueuedDelivery;
  const planned = outcomes.planRetry(item, { retryAfterMs, endpoint: undefined });
  return planned && { delayMs: planned.delayMs, ...planned.left };
}

describe('a delivery that failed', () => {
  it('holds its subject back until it has failed for an hour, whenever its next attempt is', () => {
    expect(planRetry(0)).toMatchObject({ attempts: 1, firstFailedAtMs: T0, isDeferred: false });
    expect(planRetry(4, { sinceMs: 8 * MINUTE_MS })).toMatchObject({ isDeferred: false });
    expect(planRetry(5, { sinceMs: 59 * MINUTE_MS })).toMatchObject({ isDeferred: false });
    expect(planRetry(5, { sinceMs: 60 * MINUTE_MS })).toMatchObject({
      attempts: 6,
      isDeferred: true,
    });
  });

  it('is given up after its last attempt', () => {
    expect(planRetry(11, { sinceMs: 3 * 1_440 * MINUTE_MS })).toBeUndefined();
  });

  it('waits for as long as its receiver asks, and is not deferred for that', () => {
    const soon = planRetry(0, { retryAfterMs: 59 * MINUTE_MS });
    expect(soon).toMatchObject({ delayMs: 59 * MINUTE_MS, isDeferred: false });
    const tomorrow = planRetry(0, { retryAfterMs: RETRY_AFTER_MAX_MS });
    expect(tomorrow).toMatchObject({ delayMs: RETRY_AFTER_MAX_MS, isDeferred: false });
  });
});
