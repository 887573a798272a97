import { expect, it } from 'vitest';
import { run } from './books.chaos.js';

/** Each step once, with two bookkeepers. */
it('has each entry once in the books, at whatever step the bookkeeper dies', async () => {
  const { figures, findings } = await run({ rounds: 1, progress: () => undefined });
  expect(findings).toEqual([]);
  expect(Number(figures['kills'])).toBeGreaterThanOrEqual(8);
});
