import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { Player } from '#domain/player';
import { Fault } from '#platform';
import { KnownPlayers } from './known-players.js';

const ERASED = { status: 'erased' } as Partial<Player> as Player;
const known = { state: ERASED, revision: 3, position: null };

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A store whose answers come when they are let go. */
function slowStore() {
  const answers: PromiseWithResolvers[] = [];
  const refresh = () => new Promise((resolve, reject) => void answers.push({ resolve, reject }));
  const live = { get: async () => known, recall: () => known, refresh };
  return { answers, players: new KnownPlayers(live as never) };
}

interface PromiseWithResolvers {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

it('a look that fails late leaves the newer one to those who come after it', async () => {
  const { answers, players } = slowStore();
  const first = players.findForAnswer('player');
  await vi.advanceTimersByTimeAsync(1_000);
  const second = players.findForAnswer('player');
  await vi.advanceTimersByTimeAsync(0);
  expect(answers).toHaveLength(2);

  answers[0]?.reject(new Fault('unavailable', 'away', { retryable: true }));
  await expect(first).rejects.toThrow('away');
  const third = players.findForAnswer('player');
  await vi.advanceTimersByTimeAsync(0);
  expect(answers).toHaveLength(2);
  answers[1]?.resolve(known);
  expect(await Promise.all([second, third])).toEqual([ERASED, ERASED]);
});

it('a look that failed is made anew by the next one', async () => {
  const { answers, players } = slowStore();
  const first = players.findForAnswer('player');
  await vi.advanceTimersByTimeAsync(0);
  answers[0]?.reject(new Fault('unavailable', 'away', { retryable: true }));
  await expect(first).rejects.toThrow('away');
  const second = players.findForAnswer('player');
  await vi.advanceTimersByTimeAsync(0);
  answers[1]?.resolve(known);
  expect(await second).toEqual(ERASED);
});
