import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { egressVariables } from '#egress';
import { variables } from '#platform';

const page = readFileSync(path.resolve(import.meta.dirname, '../../docs/settings.md'), 'utf8');
const rows = page.split('\n').filter((line) => line.startsWith('| `'));

it.each(Object.values({ ...variables, ...egressVariables }).map(({ name }) => name))(
  'the setting %s is in the table of docs/settings.md',
  (name) => {
    const named = rows.filter((row) => row.split('|')[1]?.includes(`\`${name}\``));
    expect(named.length).toBeGreaterThan(0);
  },
);
