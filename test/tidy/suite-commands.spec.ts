import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from '@jest/globals';

const root = path.resolve(import.meta.dirname, '../..');
const SUITE = 'test/contract/event-store';

describe.each(['README.md', 'libs/embedded-event-store/README.md'])(
  'the command in %s that holds a node to the conformance suite',
  (file) => {
    const text = readFileSync(path.join(root, file), 'utf8');
    const [, args = ''] = /^ESDB_URL=.* npm test -- (.*)$/m.exec(text) ?? [];

    it('sets no option: one that leaves files out would stand in place of what the tiers leave out', () => {
      expect(args).toMatch(/^'[^']+'$/);
    });

    it('runs the suite, and nothing of the embedded server alone', () => {
      const files = readdirSync(path.join(root, SUITE), { recursive: true, encoding: 'utf8' });
      const specs = files.filter((name) => name.endsWith('.int.spec.ts'));
      const pattern = new RegExp(args.slice(1, -1));
      const chosen = specs.filter((name) => pattern.test(`/${SUITE}/${name}`));
      expect(chosen).not.toHaveLength(0);
      expect(chosen).toEqual(specs.filter((name) => !name.includes('/')));
    });
  },
);
