import { describe, expect, it } from '@jest/globals';
import type { SharedBreakers, SharedPlaces, SharedTokens } from '#endpoint-state';
import { wallClock } from '#platform';
import { silent } from '../spec-support/fakes.js';
import { EndpointBreakers } from './endpoint-breakers.js';
import { EndpointGate } from './endpoint-gate.js';
import { EndpointHealth } from './endpoint-health.js';
import { EndpointPacing } from './endpoint-pacing.js';
import { EndpointPlaces } from './endpoint-places.js';
import { EndpointQueues } from './endpoint-queues.js';

/** The gate of an endpoint, whose breaker opens for a minute with the first failure. */
function create() {
  const breakers: Partial<SharedBreakers> = {
    noteFailure: async (_, { nowMs }) => ({
      ...{ sinceMs: nowMs, failures: 1, openUntilMs: nowMs + 60_000 },
    }),
    close: async () => undefined,
  };
  const tokens: Partial<SharedTokens> = { take: async () => 60_000 };
  const places: Partial<SharedPlaces> = { take: async (_id, _holder, wanted) => wanted };
  const queues = new EndpointQueues();
  const gate = new EndpointGate(
    new EndpointHealth(),
    new EndpointBreakers(breakers as SharedBreakers, wallClock, silent),
    new EndpointPacing(tokens as SharedTokens),
    new EndpointPlaces(places as SharedPlaces, queues, silent),
  );
  const queue = queues.require('whe_1', 'app_1');
  const room: boolean[] = [];
  gate.onRoom(() => void room.push(gate.hasRoom(queue)));
  return { gate, queue, room };
}

const FAILED = { tookMs: 1, retryAfterMs: 0 };
const ENDPOINT = { endpointId: 'whe_1', maxPerSecond: null };

describe('an endpoint that is changed', () => {
  it('is tried at once, though its breaker was open', async () => {
    const { gate, queue, room } = create();
    await gate.failed('whe_1', FAILED);
    expect([gate.hasRoom(queue), gate.admit(ENDPOINT, 'm1')]).toEqual([false, false]);
    gate.changed('whe_1');
    expect([room, gate.admit(ENDPOINT, 'm1')]).toEqual([[true], true]);
  });

  it('is not held to the bound of attempts a second that it had before', async () => {
    const { gate, queue, room } = create();
    expect(await gate.admit({ ...ENDPOINT, maxPerSecond: 1 }, 'm1')).toBe(false);
    expect(gate.hasRoom(queue)).toBe(false);
    gate.changed('whe_1');
    expect([room, gate.admit(ENDPOINT, 'm1')]).toEqual([[true], true]);
  });
});

describe('an attempt that was not made', () => {
  it('counts as no failure of its receiver, and slows the endpoint down all the same', async () => {
    const { gate, queue } = create();
    expect(await gate.failed('whe_1', { ...FAILED, tookMs: undefined })).toBeUndefined();
    expect(gate.hasRoom(queue)).toBe(true);
    queue.offered = 1;
    expect(gate.hasRoom(queue)).toBe(false);
  });
});
