import { readFileSync } from 'node:fs';
import { expect, it } from '@jest/globals';

/** A library is taken in for a reason, which stands in the table of decision 0001. */
it('names each library of the programs with its reason', () => {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
    dependencies: Readonly<Record<string, string>>;
  };
  const record = readFileSync('docs/decisions/0001-one-package-and-its-libraries.md', 'utf8');
  const libraries = Object.keys(dependencies).filter((name) => !name.startsWith('@nestjs/'));
  expect(libraries.length).toBeGreaterThan(20);
  expect(libraries.filter((name) => !record.includes(`\`${name}\``))).toEqual([]);
});
