import { describe, expect, it } from 'vitest';
import type { InFlightSet } from '../../redis/in-flight-set.js';
import { RETRY_AFTER_MAX_MS } from '../../limits.js';
import { createGate } from '../../feed/spec-support/gate.js';
import { silent } from '../../spec-support/fakes.js';
import { DeliveryOutcomes } from './delivery-outcomes.js';
import type { QueuedDelivery } from './queued-delivery.js';
import type { RetryQueue } from '../../jobs/retry-queue.js';

const T0 = Date.parse('2027-01-31T10:00:00Z');

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
  it('has failed since its first attempt, and is given up after its last one', () => {
    expect(planRetry(0)).toMatchObject({ attempts: 1, firstFailedAtMs: T0 });
    expect(planRetry(5, { sinceMs: 60_000 })).toMatchObject({ attempts: 6, firstFailedAtMs: T0 });
    expect(planRetry(11, { sinceMs: 3 * 86_400_000 })).toBeUndefined();
  });

  it('waits for as long as its receiver asks', () => {
    const delayMs = RETRY_AFTER_MAX_MS;
    expect(planRetry(0, { retryAfterMs: delayMs })).toMatchObject({ delayMs });
  });
});
