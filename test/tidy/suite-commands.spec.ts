import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const SUITE = 'test/contract/event-store';

describe('the command that holds a node to the conformance suite', () => {
  const page = path.join(root, 'libs/embedded-event-store/README.md');
  const [, args = ''] = /^ESDB_URL=.* npm test -- (.*)$/m.exec(readFileSync(page, 'utf8')) ?? [];

  it('sets no option: one that leaves files out would replace the list that the tiers leave out', () => {
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
});
