import { expect, it } from 'vitest';
import { run } from './seals.chaos.js';

/** Each step once, with two bookkeepers. */
it('gives each event one leaf, in one log, at whatever step the bookkeeper dies', async () => {
  const { figures, findings } = await run({ rounds: 1, seed: 7, progress: () => undefined });
  expect(findings).toEqual([]);
  expect(Number(figures['kills'])).toBeGreaterThanOrEqual(10);
});
