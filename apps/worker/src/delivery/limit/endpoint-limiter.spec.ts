import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SharedTokens } from '#worker-state';
import { FAILURES_THAT_OPEN, OPEN_AT_MOST_MS, RETRY_SOON_MS } from '../../limits.js';
import { EndpointLimiter } from './endpoint-limiter.js';

const OPEN_FOR_MS = 10_000;
const PAUSE_MS = 60_000;

function create(partitions = 1) {
  const control = { waitMs: 0 };
  const tokens: Partial<SharedTokens> = { take: async () => control.waitMs };
  const limiter = new EndpointLimiter(tokens as SharedTokens, { count: partitions });
  const queue = { endpointId: 'whe_1', offered: 0, retrying: 0, size: 100 };
  const rooms: string[] = [];
  limiter.onRoom((endpointId) => rooms.push(endpointId));
  const offerAll = () => {
    let offered = 0;
    for (; limiter.hasRoom(queue); offered += 1) queue.offered += 1;
    return offered;
  };
  const open = async () => {
    let untilMs = 0;
    for (let n = 0; n < FAILURES_THAT_OPEN; n += 1) untilMs = await limiter.failed('whe_1', 0);
    return untilMs;
  };
  return { limiter, queue, control, rooms, offerAll, open };
}

describe('the attempts at an endpoint', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it.each([
    [1, 31],
    [4, 7],
    [16, 1],
    [64, 1],
  ])(
    'are a fixed number under way, divided by %i partitions, with a slot for a retry',
    (partitions, most) => {
      const { limiter, queue, offerAll } = create(partitions);
      expect(offerAll()).toBe(most);
      expect(limiter.hasRoomForRetry(queue)).toBe(true);
      Object.assign(queue, { offered: most + 1, retrying: 1 });
      expect([limiter.hasRoomForRetry(queue), limiter.hasRoom(queue)]).toEqual([false, false]);
    },
  );

  it('are none while its breaker is open, and one after that, until it has succeeded', async () => {
    const { limiter, queue, rooms, offerAll, open } = create();
    expect(await open()).toBeGreaterThan(Date.now());
    expect([limiter.hasRoom(queue), limiter.hasRoomForRetry(queue)]).toEqual([false, false]);
    expect([limiter.findBreaker('whe_1'), limiter.isFailing('whe_1')]).toEqual(['open', true]);
    expect(limiter.waitMs(queue)).toBeGreaterThan(RETRY_SOON_MS + 1_000);
    // One that was offered before waits for a slot, and is not sent.
    expect(limiter.admit({ endpointId: 'whe_1', maxPerSecond: null })).toBe(false);
    vi.advanceTimersByTime(OPEN_FOR_MS);
    expect([rooms, limiter.findBreaker('whe_1')]).toEqual([['whe_1'], 'half_open']);
    expect(offerAll()).toBe(1);
    expect(limiter.hasRoomForRetry(queue)).toBe(false);
    await limiter.succeeded('whe_1');
    expect([limiter.findBreaker('whe_1'), limiter.isFailing('whe_1')]).toEqual([undefined, false]);
    expect(offerAll()).toBe(30);
  });

  it('are none for as long as its receiver asks for, within the time that a breaker is open', async () => {
    const { limiter, queue } = create();
    expect(await limiter.failed('whe_1', PAUSE_MS)).toBe(Date.now() + PAUSE_MS);
    // An attempt that was under way ends no pause.
    await limiter.succeeded('whe_1');
    expect(limiter.hasRoom(queue)).toBe(false);
    vi.advanceTimersByTime(PAUSE_MS);
    expect(limiter.hasRoom(queue)).toBe(true);
    expect(await limiter.failed('whe_1', 86_400_000)).toBe(Date.now() + OPEN_AT_MOST_MS);
  });

  it('are one at first when it is enabled, and at once when it is changed; a failure opens its breaker again', async () => {
    const { limiter, queue, rooms, open } = create();
    limiter.enabled('whe_1');
    queue.offered = 1;
    expect(limiter.hasRoom(queue)).toBe(false);
    await limiter.succeeded('whe_1');
    expect(limiter.hasRoom(queue)).toBe(true);
    await open();
    limiter.changed('whe_1');
    expect([rooms, limiter.findBreaker('whe_1')]).toEqual([['whe_1'], 'half_open']);
    await limiter.failed('whe_1', 0);
    expect(limiter.findBreaker('whe_1')).toBe('open');
  });

  it('take a token each where its merchant has set a bound, and wait where there is none', async () => {
    const { limiter, queue, control, rooms } = create();
    expect(limiter.admit({ endpointId: 'whe_1', maxPerSecond: null })).toBe(true);
    const paced = { endpointId: 'whe_1', maxPerSecond: 4 };
    expect(await limiter.admit(paced)).toBe(true);
    control.waitMs = 250;
    expect(await limiter.admit(paced)).toBe(false);
    expect([limiter.hasRoom(queue), limiter.isFailing('whe_1')]).toEqual([false, false]);
    vi.advanceTimersByTime(250);
    expect([rooms, limiter.hasRoom(queue)]).toEqual([['whe_1'], true]);
  });
});
