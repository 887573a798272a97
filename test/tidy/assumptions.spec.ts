import { readdirSync, readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

/** What was chosen where more than one answer was possible is found from the README's list. */
it('each page of the rules is named in the list of assumptions', () => {
  const [, list = ''] = readFileSync('README.md', 'utf8').split('\n## Assumptions\n');
  const [rows = ''] = list.split('\n## ');
  const pages = readdirSync('docs/rules');
  expect(pages.length).toBeGreaterThan(10);
  expect(pages.filter((page) => !rows.includes(`(docs/rules/${page})`))).toEqual([]);
});
