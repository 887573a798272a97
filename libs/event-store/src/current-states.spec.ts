import { randomUUID } from 'node:crypto';
import { expect, it } from '@jest/globals';
import { createLogger, Fault } from '#platform';
import { createCommandExecutor } from './command-executor.js';
import { CurrentStates } from './current-states.js';
import type { LiveAggregates } from './live-aggregates.js';
import { counter } from './spec-support/counter.js';
import { FollowedMemoryStore } from './spec-support/followed-memory-store.js';

/** What memory has, and the store, which has more. */
async function scene(memory: { isAway?: boolean; isFrozen?: boolean }) {
  const { isAway = false, isFrozen = false } = memory;
  const store = new FollowedMemoryStore();
  const occurredAt = '2026-01-01T00:00:00.000Z';
  const who = { actor: 'app', appId: 'app_1', environment: 'test', occurredAt } as const;
  const metadata = { ...who, $correlationId: 'c' };
  const event = { id: randomUUID(), type: 'counter.added.v1', data: { amount: 5 }, metadata };
  store.appendNow('counter-a', 'any', [event]);
  const known = { state: { total: 1, additions: 1 }, revision: 0, position: null, isFrozen };
  const live = {
    get: async () => known,
    recall: () => undefined,
    catchUp: async () => {
      if (isAway) throw new Fault('unavailable', 'it took too long', { retryable: true });
    },
  } as unknown as Pick<LiveAggregates, 'get' | 'recall' | 'catchUp'>;
  const log = createLogger('spec', { level: 'silent' });
  const states = new CurrentStates({ live, commands: createCommandExecutor(store), log });
  const { state } = await (await states.asOfNow()).load(counter, 'a');
  return { total: state.total, reads: store.calls.length };
}

it('a state is that of memory, without a reading, once memory has caught up', async () => {
  expect(await scene({})).toEqual({ total: 1, reads: 0 });
});

it('a state is read where memory does not catch up', async () => {
  expect(await scene({ isAway: true })).toEqual({ total: 5, reads: 1 });
});

it('a state is read where memory stopped at an event that it cannot read', async () => {
  expect(await scene({ isFrozen: true })).toEqual({ total: 5, reads: 1 });
});
