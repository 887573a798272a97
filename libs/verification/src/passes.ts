import { readBucket } from '#domain/ids';
import { type BucketRange, Partitions } from '#event-store';
import type { CheckedGeneration } from './generation.js';

/** The documents that are compared in one reading of the log. */
export interface Pass {
  readonly generations: readonly CheckedGeneration[];
  /** The buckets of these documents; undefined for all. */
  readonly buckets: readonly BucketRange[] | undefined;
  /** Whether a document of one of these generations belongs to this pass. */
  readonly has: (generation: CheckedGeneration, id: string) => boolean;
}

/** A generation with the number of its documents. */
export interface Sized {
  readonly generation: CheckedGeneration;
  readonly documents: number;
}

/**
 * Divides documents into passes: as many whole partitions as have no more documents than that, or a part of a larger
 * partition. Each document belongs to one pass.
 *
 * @param isDivisible whether the bucket of a document's id is that of its events.
 */
export function planPasses(
  sized: readonly Sized[],
  mostDocuments: number,
  isDivisible: boolean,
): Pass[] {
  const partitions = new Partitions(sized.length);
  const passes: Pass[] = [];
  let whole: Sized[] = [];
  for (const each of sized) {
    const together = whole.reduce((sum, { documents }) => sum + documents, each.documents);
    if (together > mostDocuments && whole.length > 0) {
      passes.push(passOfWhole(whole, partitions));
      whole = [];
    }
    if (each.documents > mostDocuments && isDivisible) {
      const parts = Math.ceil(each.documents / mostDocuments);
      passes.push(...passesOfParts(each.generation, partitions, parts));
    } else whole.push(each);
  }
  return whole.length === 0 ? passes : [...passes, passOfWhole(whole, partitions)];
}

function passOfWhole(whole: readonly Sized[], partitions: Partitions): Pass {
  const generations = whole.map(({ generation }) => generation);
  return {
    generations,
    buckets: partitions.rangesFor(generations.map(({ number }) => number)),
    has: () => true,
  };
}

function passesOfParts(
  generation: CheckedGeneration,
  partitions: Partitions,
  parts: number,
): Pass[] {
  const { first, last } = partitions.rangeFor(generation.number);
  const size = Math.ceil((last - first + 1) / parts);
  const count = Math.ceil((last - first + 1) / size);
  return Array.from({ length: count }, (_, at) => {
    const from = first + at * size;
    const range = { first: from, last: Math.min(from + size - 1, last) };
    return {
      generations: [generation],
      buckets: [range],
      has: (_generation, id) => {
        const bucket = Number.parseInt(readBucket(id), 16);
        // An id of another partition was put there by hand: one pass has to name it.
        const isStray = bucket < first || bucket > last;
        return isStray ? at === 0 : bucket >= range.first && bucket <= range.last;
      },
    };
  });
}
