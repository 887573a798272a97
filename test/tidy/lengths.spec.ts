import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

/** Pages that a newcomer reads from top to bottom stay short, in words. */
const MOST_WORDS = { 'README.md': 2_500 };

it.each(Object.entries(MOST_WORDS))('%s has at most %i words', (page, most) => {
  const words = readFileSync(page, 'utf8').split(/\s+/).filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(most);
});
