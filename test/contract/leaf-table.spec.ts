import { categoryOf } from '#domain/event';
import { hasLeaf, LEAF_TABLE, ledgerPattern } from '#sealing';
import { describe, expect, it } from 'vitest';
import { readSources } from '../tidy/sources.js';

const products = readSources().filter(
  ({ file }) => /^(?:apps|libs)\/.*(?<!\.spec)\.ts$/.test(file) && !/spec-support/.test(file),
);

/** Where the code says the name of a category, or of a stream. */
const NAMES = [
  /defineAggregate(?:<[^(]*>)?\(\s*'([a-z_]+)'/g,
  /\bcategory: '([a-z_]+)'/g,
  /\b[A-Z_]*CATEGORY = '([a-z_]+)'/g,
  /\b[A-Z_]*STREAM = '([a-z_]+)-/g,
  /return `([a-z_]+)-\$\{/g,
];
/** Streams outside of a ledger's namespace, and one that never has an event. */
const OUTSIDE = ['subledger', 'subledger_copy', 'right_check'];
/** Files that have the store forget a stream, by age or by number, and the category of that stream. */
const FORGETTING: Readonly<Record<string, string>> = {
  'apps/api/src/webshop-links/commands/create-webshop-link.ts': 'shop_session',
  'apps/storefront/src/shop/activity/activities.ts': 'activity',
  'libs/catalog/src/catalog-failures.ts': 'catalog_failures',
  'libs/sealing/src/notices/seal-notices.ts': 'seal_notice',
  'libs/event-store/src/streams/time-index.ts': 'time_index',
  'libs/worker-state/src/backup-stream.ts': 'delivery_checkpoint',
};

describe('the table of leaves', () => {
  it('names each category of streams that the code writes, and no other', () => {
    const found = products.flatMap(({ text }) =>
      NAMES.flatMap((pattern) => [...text.matchAll(pattern)].map(([, name = '']) => name)),
    );
    const written = [...new Set(found)].filter((name) => !OUTSIDE.includes(name));
    expect(Object.keys(LEAF_TABLE).sort()).toEqual(written.sort());
  });

  it('has no leaf for a stream that forgets, and for those alone beside seals', () => {
    const telling = /lifetimes\s*\.limit\(|await limitStream\(/;
    const files = products.filter(({ text }) => telling.test(text)).map(({ file }) => file);
    expect(files.sort()).toEqual(Object.keys(FORGETTING).sort());
    const without = Object.entries(LEAF_TABLE).filter(([, has]) => has !== 'leaf');
    const seals = ['seal_checkpoints', 'seal_tiles'];
    const expected = [...Object.values(FORGETTING), ...seals].sort();
    expect(without.map(([category]) => category).sort()).toEqual(expected);
  });

  it('gives a leaf to events of a category that it does not know', () => {
    expect(hasLeaf('unknown_yet-3f.some_01')).toBe(true);
    expect(hasLeaf('seal_tiles_too-3f.some_01')).toBe(true);
    expect(hasLeaf('ledger')).toBe(true);
  });

  it('is asked about all streams of the ledger, and no others', () => {
    const pattern = new RegExp(ledgerPattern('sl'));
    for (const category of Object.keys(LEAF_TABLE)) {
      const name = `${category}-3f.some_01`;
      expect([name, pattern.test(`sl.${name}`)]).toEqual([name, true]);
      expect(categoryOf(name)).toBe(category);
    }
    const strange = ['$$sl.payment-3f.pay_1', 'other.payment-3f.pay_1', 'subledger-namespaces'];
    expect(strange.filter((name) => pattern.test(name))).toEqual([]);
  });
});
