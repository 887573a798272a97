import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** Pages that a newcomer reads from top to bottom stay short, in words. */
const MOST_WORDS = { 'README.md': 2_500, 'docs/performance.md': 2_000 };

it.each(Object.entries(MOST_WORDS))('%s has at most %i words', (page, most) => {
  const words = readFileSync(page, 'utf8').split(/\s+/).filter(Boolean);
  expect(words.length).toBeLessThanOrEqual(most);
});

/** One record for a subject, edited in place: a new subject takes the place of another, or is a part of one. */
it('decision records are few and short', () => {
  const pages = readdirSync('docs/decisions');
  const words = pages.flatMap((page) =>
    readFileSync(`docs/decisions/${page}`, 'utf8').split(/\s+/).filter(Boolean),
  );
  expect(pages.filter((page) => /^\d{4}-/.test(page)).length).toBeLessThanOrEqual(40);
  expect(words.length).toBeLessThan(15_000);
});
