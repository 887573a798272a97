import { describe, expect, it } from 'vitest';
import { bucketPattern, Partitions } from './partitions.js';
import { StreamNames } from './stream-names.js';

const BUCKETS = Array.from({ length: 256 }, (_, bucket) => bucket);
const toHex = (bucket: number) => bucket.toString(16).padStart(2, '0');
const idInBucket = (bucket: number) => `sub_01kg9qxg80${toHex(bucket)}d9zf3vcz2q1fb6nq`;

describe('partitions', () => {
  it.each([1, 2, 3, 5, 16, 24, 63, 64])('%i of them share all buckets in ranges', (count) => {
    const partitions = new Partitions(count);
    expect(partitions.numbers).toHaveLength(count);
    const covered = partitions.numbers.flatMap((partition) => {
      const { first, last } = partitions.rangeFor(partition);
      const buckets = BUCKETS.slice(first, last + 1);
      for (const bucket of buckets) {
        expect(partitions.findForBucket(toHex(bucket))).toBe(partition);
      }
      return buckets;
    });
    expect(covered).toEqual(BUCKETS);
  });

  it('name no buckets for a filter of all of them', () => {
    const partitions = new Partitions(2);
    expect(partitions.rangesFor([1])).toEqual([{ first: 128, last: 255 }]);
    expect(partitions.rangesFor([0, 1])).toBeUndefined();
  });

  it('are found by the id alone', () => {
    const partitions = new Partitions(16);
    expect(partitions.find(idInBucket(0x3f))).toBe(3);
    expect(partitions.find(idInBucket(0x40))).toBe(4);
  });

  it.each([0, 1.5, 257])('are no %d', (count) => {
    expect(() => new Partitions(count)).toThrow(`${count} partitions`);
  });
});

describe('a filter of partitions', () => {
  const names = new StreamNames('sl');

  it.each([1, 3, 5, 16, 64])('of %i takes the streams of its buckets alone', (count) => {
    const partitions = new Partitions(count);
    const wanted = partitions.numbers.filter((partition) => partition % 2 === 0);
    const ranges = wanted.map((partition) => partitions.rangeFor(partition));
    const filter = new RegExp(
      names.filter({ categories: ['subscription', 'payment'], buckets: ranges }),
    );
    for (const bucket of BUCKETS) {
      const id = idInBucket(bucket);
      const isWanted = wanted.includes(partitions.find(id));
      expect(filter.test(names.toStored(`subscription-${id}`))).toBe(isWanted);
      expect(filter.test(names.toStored(`plan-${id}`))).toBe(false);
    }
  });

  it('says nothing of buckets where all are wanted', () => {
    expect(bucketPattern(undefined)).toBe('');
    expect(names.filter({ categories: ['payment'] })).toBe('^sl\\.(?:payment)-');
  });
});
