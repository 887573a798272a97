import { readBucket } from '#domain/ids';
import { assertDefect } from '#platform';

/** How many buckets there are, for ever (decision 0009). */
const BUCKETS = 256;

/** Buckets by their numbers, both ends included. */
export interface BucketRange {
  readonly first: number;
  readonly last: number;
}

/** Into which ranges of buckets a namespace divides its work (rules/storage 5). */
export class Partitions {
  /** @param count from 1 to 64, as the namespace was opened with. */
  constructor(readonly count: number) {
    assertDefect(Number.isInteger(count) && count >= 1 && count <= BUCKETS, `${count} partitions`);
  }

  /** All of them, from 0. */
  get numbers(): number[] {
    return Array.from({ length: this.count }, (_, number) => number);
  }

  rangeFor(partition: number): BucketRange {
    return { first: this.#firstBucket(partition), last: this.#firstBucket(partition + 1) - 1 };
  }

  /** The buckets of these partitions, for a filter; undefined where they are all: nothing is left out. */
  rangesFor(partitions: readonly number[]): readonly BucketRange[] | undefined {
    if (partitions.length === this.count) return undefined;
    return partitions.map((partition) => this.rangeFor(partition));
  }

  /** The partition of a stream, or of an id. */
  find(id: string): number {
    return this.findForBucket(readBucket(id));
  }

  /** @param bucket two hex digits. */
  findForBucket(bucket: string): number {
    return Math.floor((Number.parseInt(bucket, 16) * this.count) / BUCKETS);
  }

  #firstBucket(partition: number): number {
    return Math.ceil((partition * BUCKETS) / this.count);
  }
}

/** `3f.`, as an expression that matches the buckets of these ranges; of all, where none is given. */
export function bucketPattern(ranges: readonly BucketRange[] | undefined): string {
  if (ranges === undefined) return '';
  const digits = ranges.flatMap(rangePatterns);
  return `(?:${digits.join('|')})\\.`;
}

/** The common subset of JavaScript and .NET has classes of characters, and counts in no base. */
function rangePatterns({ first, last }: BucketRange): string[] {
  const patterns: string[] = [];
  for (let high = first >> 4; high <= last >> 4; high += 1) {
    const lows = Array.from({ length: 16 }, (_, low) => low).filter((low) => {
      const bucket = high * 16 + low;
      return bucket >= first && bucket <= last;
    });
    patterns.push(high.toString(16) + classFor(lows));
  }
  return patterns;
}

function classFor(digits: readonly number[]): string {
  return `[${digits.map((digit) => digit.toString(16)).join('')}]`;
}
