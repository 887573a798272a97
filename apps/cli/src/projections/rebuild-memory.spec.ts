import { expect, it } from 'vitest';
import { sayMemory } from './rebuild.command.js';

it('a rebuild says first how much memory it takes', () => {
  const memory = { usedBytes: 300_000_000, maxBytes: null, furtherBytes: 120_000_000 };
  expect(sayMemory(memory, false)).toBe(
    'Redis uses 300 MB; the rebuild takes about 120 MB more, until the former generation is given up.',
  );
  expect(sayMemory({ ...memory, maxBytes: 400_000_000 }, true)).toMatch(
    /^Redis uses 300 MB of 400 MB \(maxmemory\); .* That does not fit: "drop" gives it up again\.$/,
  );
});
