import { expect, it } from 'vitest';
import { shopAggregate } from '#domain/shop';
import type { CommandExecutor, LiveAggregates } from '#event-store';
import { createLogger, Fault } from '#platform';
import { PlayerStates } from './player-states.js';

const log = createLogger('spec', { level: 'silent' });

/** The states for a page, by a memory that is behind the store or at one with it; the store has more. */
async function load(memory: { isAway?: boolean; isFrozen?: boolean }) {
  const { isAway = false, isFrozen = false } = memory;
  const live = {
    get: async () => ({ state: 'of memory', isFrozen }),
    recall: () => undefined,
    catchUp: async () => {
      if (isAway) throw new Fault('unavailable', 'it took too long', { retryable: true });
    },
  } as unknown as LiveAggregates;
  const commands = { load: async () => ({ state: 'of the store' }) } as unknown as CommandExecutor;
  const states = await new PlayerStates({ live, commands, log }).asOfNow();
  return (await states.load(shopAggregate, 'player-1')).state;
}

it('a state is that of memory, without a reading, once memory has caught up', async () => {
  expect(await load({})).toBe('of memory');
});

it('a state is read where memory does not catch up', async () => {
  expect(await load({ isAway: true })).toBe('of the store');
});

it('a state is read where memory stopped at an event that it cannot read', async () => {
  expect(await load({ isFrozen: true })).toBe('of the store');
});

it('those who ask together share one look at the store, and each later turn has its own', async () => {
  let looks = 0;
  const catchUp = async () => void (looks += 1);
  const live = { catchUp } as unknown as LiveAggregates;
  const states = new PlayerStates({ live, commands: {} as CommandExecutor, log });
  await Promise.all([states.asOfNow(), states.asOfNow()]);
  expect(looks).toBe(1);
  await states.asOfNow();
  expect(looks).toBe(2);
});
