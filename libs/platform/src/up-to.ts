/** Options of an `LRUCache` that holds so many entries at most. */
export interface UpTo {
  readonly maxSize: number;
  readonly sizeCalculation: () => number;
}

/**
 * Bounds an `LRUCache` to so many entries: `new LRUCache(upTo(10_000))`. By its own `max` it makes room for all of
 * them at once, which takes a start some 4 ms for each 10,000, of a cache that may stay empty.
 */
export function upTo(entries: number): UpTo {
  return { maxSize: entries, sizeCalculation: () => 1 };
}
