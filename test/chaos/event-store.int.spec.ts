import { expect, it } from 'vitest';
import { run } from './event-store.chaos.js';

/** The short form of `npm run chaos -- event-store`. */
it('keeps every promise when it is killed under load', async () => {
  const { summary } = await run({ rounds: 6, progress: () => undefined });
  expect(summary).toMatch(/^6 rounds: [1-9]\d* appends acknowledged/);
});
