import { describe, expect, it } from 'vitest';
import { unreachedBecause } from './errors.js';

const NAMED = 'the event store at EVENTSTOREDB_URL';

describe('why a store was not reached', () => {
  it.each([
    [
      '14 UNAVAILABLE: No connection established. Last error: Error: connect ECONNREFUSED 127.0.0.1:1. Resolution note: ',
      `${NAMED} cannot be reached: connect ECONNREFUSED 127.0.0.1:1`,
    ],
    [
      '14 UNAVAILABLE: Name resolution failed for target dns:nowhere.invalid:2113',
      `${NAMED} cannot be reached: Name resolution failed for target dns:nowhere.invalid:2113`,
    ],
    [
      '16 UNAUTHENTICATED: Not authenticated',
      `${NAMED} refuses these credentials: Not authenticated`,
    ],
  ])('is said once, with the setting to look at: %s', (text, expected) => {
    expect(unreachedBecause(text)).toBe(expected);
  });

  it('is not said of a store that answered', () => {
    expect(unreachedBecause('2 UNKNOWN: something else')).toBeUndefined();
  });
});
