import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { createLogger } from '#platform';
import { createCommandExecutor } from '../commands/command-executor.js';
import type { EventToAppend } from '../streams/event-store.js';
import { openLiveAggregates } from './live-aggregates.js';
import { counter } from '../streams/spec-support/counter.js';
import { FollowedMemoryStore, settled } from './spec-support/followed-memory-store.js';

const stream = fc.constantFrom('a', 'b', 'c');
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('append' as const), stream }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('ask' as const), stream }) },
  fc.record({ kind: fc.constant('refresh' as const), stream }),
  fc.record({ kind: fc.constant('deliver' as const), count: fc.integer({ min: 1, max: 3 }) }),
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('release' as const) }) },
  fc.record({ kind: fc.constant('break' as const) }),
  fc.record({ kind: fc.constant('settle' as const) }),
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

describe('live aggregates', () => {
  it('show what the streams hold, however readings, events and broken calls fall together', async () => {
    const steps = fc.array(step, { maxLength: 25, minLength: 5 });
    const states = fc.integer({ min: 1, max: 3 });
    const property = fc.asyncProperty(steps, states, follow);
    await fc.assert(property, { numRuns: 100 });
  });
});

/** @param states kept at most, of three that are asked for. */
async function follow(steps: Step[], states: number): Promise<void> {
  const store = new FollowedMemoryStore();
  const stop = new AbortController();
  const live = await openLiveAggregates({
    store,
    commands: createCommandExecutor(store, { cacheSize: states }),
    aggregates: [counter],
    limits: { states, bytes: 10_000, absent: 1 },
    signal: stop.signal,
    log: createLogger('spec', { level: 'silent' }),
  });
  store.holdsReadings = true;
  const asked: Promise<unknown>[] = [];
  let last = '';
  for (const one of steps) {
    if (one.kind === 'append') last = store.add(`counter-${one.stream}`, added()).position;
    else if (one.kind === 'ask') asked.push(live.get(counter, one.stream));
    else if (one.kind === 'refresh') asked.push(live.refresh(counter, one.stream));
    else if (one.kind === 'deliver') store.deliver(one.count);
    else if (one.kind === 'release') store.release();
    else if (one.kind === 'break') store.breakOff();
    else await settled();
  }
  store.holdsReadings = false;
  while (store.release());
  await Promise.all(asked);
  store.deliver();
  if (last !== '') await live.waitFor(last, 10_000);
  for (const id of ['a', 'b', 'c']) {
    const additions = store.events(`counter-${id}`).length;
    const recalled = live.recall(counter, id);
    if (recalled !== undefined) expect([id, recalled.state.additions]).toEqual([id, additions]);
    expect((await live.get(counter, id)).state.additions).toBe(additions);
  }
  stop.abort();
}

function added(): EventToAppend {
  const metadata = {
    ...{ $correlationId: 'c', actor: 'app', appId: 'app_1', environment: 'test' as const },
    occurredAt: '2026-01-31T10:00:00.000Z',
  };
  return { id: randomUUID(), type: 'counter.added.v1', data: { amount: 1 }, metadata };
}
