import { expect, it } from 'vitest';
import { breakInRounds } from './webhooks.chaos.js';

/** The short form of `npm run chaos -- webhooks`, which kills, too, and has receivers that hang. */
it('delivers each message in order when the append-only file is cut, and Redis emptied beside a halted worker', async () => {
  const { figures, findings } = await breakInRounds({
    kinds: ['the append-only file is cut', 'Redis is emptied beside a halted worker'],
    ...{ seed: 14, eventsARound: 30, isPatient: false, mendsEachRound: false, workers: 1 },
    progress: () => undefined,
  });
  expect(findings).toEqual([]);
  expect(figures).toMatchObject({ rounds: 2 });
  expect(Number(figures['failed'])).toBeGreaterThan(0);
  expect(Number(figures['resends'])).toBeGreaterThan(0);
});
