import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readBucket } from '#domain/ids';
import { Partitions } from '#event-store';
import { planPasses } from './passes.js';

/** A generation, as far as a plan depends on it. */
const sized = (documents: readonly number[]) =>
  documents.map((count, number) => ({
    generation: { number } as Parameters<typeof planPasses>[0][number]['generation'],
    documents: count,
  }));

const sizes = fc.array(fc.nat(300), { minLength: 1, maxLength: 16 });
const ids = fc.array(fc.uuid(), { minLength: 1, maxLength: 50 });

it('each document belongs to one pass, which reads its bucket', () => {
  fc.assert(
    fc.property(sizes, ids, fc.integer({ min: 1, max: 200 }), (documents, some, most) => {
      const passes = planPasses(sized(documents), most, true);
      const partitions = new Partitions(documents.length);
      for (const id of some) {
        const own = passes.filter(({ generations, has }) =>
          generations.some((each) => each.number === partitions.find(id) && has(each, id)),
        );
        expect(own).toHaveLength(1);
        const bucket = Number.parseInt(readBucket(id), 16);
        const ranges = own[0]?.buckets ?? [{ first: 0, last: 255 }];
        expect(ranges.some(({ first, last }) => bucket >= first && bucket <= last)).toBe(true);
      }
    }),
  );
});

it('a document astray in another partition belongs to one pass of that partition', () => {
  const passes = planPasses(sized([900, 900]), 100, true);
  const partitions = new Partitions(2);
  for (const id of ['one', 'two', 'three', 'four']) {
    const elsewhere = 1 - partitions.find(id);
    const own = passes.filter(({ generations, has }) =>
      generations.some((each) => each.number === elsewhere && has(each, id)),
    );
    expect(own).toHaveLength(1);
  }
});

it('a pass has no more documents than are allowed, where they can be divided', () => {
  const numbers = (documents: readonly number[], isDivisible: boolean) =>
    planPasses(sized(documents), 100, isDivisible).map(({ generations }) =>
      generations.map(({ number }) => number),
    );
  expect(numbers([40, 60, 1, 99, 100], true)).toEqual([[0, 1], [2, 3], [4]]);
  expect(numbers([40, 250, 40, 40], true)).toEqual([[0], [1], [1], [1], [2, 3]]);
  expect(numbers([40, 250, 40], false)).toEqual([[0], [1], [2]]);
  expect(planPasses(sized([1, 2]), 100, true)[0]?.buckets).toBeUndefined();
});
