import { describe, expect, it } from 'vitest';
import { checkProjections } from './check-projections.js';
import type { Projection } from './projection.js';

const visits: Projection<number> = {
  name: 'visits',
  version: 1,
  categories: ['visit'],
  eventTypes: ['visit.begun.v1'],
  documents: { of: 'stream' },
  initialState: 0,
  project: (before) => before + 1,
  indexes: () => [],
  queries: () => ({}),
};
const total: Projection<number> = {
  ...visits,
  name: 'total',
  documents: { of: 'key', key: () => ['all'], merge: (parts) => parts.reduce((a, b) => a + b, 0) },
};

describe('projections beside each other', () => {
  it('may read the same category', () => {
    expect(() => checkProjections([visits, total])).not.toThrow();
  });

  it('are refused when two have one name, and would write the same keys', () => {
    expect(() => checkProjections([visits, { ...total, name: 'visits' }])).toThrow(
      'two projections are named visits',
    );
  });

  it('are refused when a key spans partitions and nothing says how its parts are merged', () => {
    const { merge: _, ...documents } = total.documents as { merge: unknown; of: 'key' };
    const careless = { ...total, documents } as unknown as Projection<number>;
    expect(() => checkProjections([careless])).toThrow('total has keys that span partitions');
  });

  it.each([
    ['a name that reaches into keys', { name: 'a:b' }, 'a:b is no name'],
    ['no version', { version: 0 }, 'visits has no version'],
    [
      'lists ordered since a later version',
      { version: 2, orderedSince: 3 },
      'order is of no version',
    ],
    ['lists ordered since no version', { orderedSince: 0 }, 'order is of no version'],
    ['no category', { categories: [] }, 'visits reads no category'],
    ['a document for each stream of two categories', { categories: ['a', 'b'] }, 'may meet'],
  ])('are refused with %s', (_, change, problem) => {
    expect(() => checkProjections([{ ...visits, ...change }])).toThrow(problem);
  });

  it('are not refused a document for each stream of two categories whose ids differ', () => {
    const documents = { of: 'stream', idsDiffer: true } as const;
    const both = { ...visits, categories: ['a', 'b'], documents };
    expect(() => checkProjections([both])).not.toThrow();
  });

  it('are not refused lists that were ordered anew with their present version, or an earlier one', () => {
    const reordered = { ...visits, version: 3, orderedSince: 3 };
    expect(() =>
      checkProjections([reordered, { ...total, version: 3, orderedSince: 2 }]),
    ).not.toThrow();
  });

  it('says all that is wrong at once', () => {
    const both = [{ ...visits, version: 0, categories: [] }];
    expect(() => checkProjections(both)).toThrow(/no version\n.*no category/);
  });
});
