import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { findAll, listed, readSources } from './sources.js';

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

/** Private parts of libraries are touched in one folder, which lists them; the embedded store speaks by the same messages. */
it('reaches into the folders of no library but those of the official client', () => {
  const product = readSources().filter(
    ({ file }) => /^(?:apps|libs|projections)\/.*\.tsx?$/.test(file) && !file.endsWith('.spec.ts'),
  );
  const deep = /from '(?:@[\w-]+\/)?\w[\w.-]*\/(?:dist|build|built|lib|src|generated)\/[^']+'/g;
  const places = findAll(product, deep);
  expect(places.length).toBeGreaterThan(10);
  const isAllowed = ({ file, found }: { file: string; found: string }) =>
    file.startsWith('libs/event-store/src/client/') ||
    (/^libs\/embedded-event-store\//.test(file) && found.includes('/generated/'));
  expect(listed(places.filter((place) => !isAllowed(place)))).toEqual([]);
});
