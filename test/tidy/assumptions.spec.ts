import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';

/** A choice where more than one answer was possible is found from the list of assumptions. */
it('each page of the rules is named in the list of assumptions', () => {
  const list = readFileSync('docs/assumptions.md', 'utf8');
  const pages = readdirSync('docs/rules');
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((page) => !list.includes(`(rules/${page})`))).toEqual([]);
});
