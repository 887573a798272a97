import { expect, it } from 'vitest';
import { VisitLimits } from './visit-limits.js';

/** rules/webshop 2 */
it('a player has so many changes in a minute, and takes none of those of others', () => {
  const limits = new VisitLimits();
  for (let count = 0; count < 120; count += 1) limits.require('ann');
  expect(limits.take('ann')).toBe(false);
  expect(() => limits.require('ann')).toThrow(
    expect.objectContaining({ reason: 'TOO_MANY_REQUESTS', retryAfterMs: 30_000 }),
  );
  expect(limits.take('bob')).toBe(true);
});
