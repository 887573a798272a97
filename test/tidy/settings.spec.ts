import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from '@jest/globals';
import { egressVariables } from '#egress';
import { variables } from '#platform';

const readme = readFileSync(path.resolve(import.meta.dirname, '../../README.md'), 'utf8');
const rows = readme.split('\n').filter((line) => line.startsWith('| `'));

it.each(Object.values({ ...variables, ...egressVariables }).map(({ name }) => name))(
  'the setting %s is in the table of settings of README.md',
  (name) => {
    const named = rows.filter((row) => row.split('|')[1]?.includes(`\`${name}\``));
    expect(named.length).toBeGreaterThan(0);
  },
);
