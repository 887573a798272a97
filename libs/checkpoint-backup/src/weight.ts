/**
 * Bytes of the things that one record names: a store refuses an event of a megabyte, and a charge that is to
 * be asked for again is named twice.
 */
export const RECORD_BYTES = 400_000;

/** @returns the bytes of an item as it is stored. */
export function weigh(item: unknown): number {
  return Buffer.byteLength(JSON.stringify(item));
}

/** @returns as many of the first items as weigh no more than a record may hold, and one at least. */
export function takeUpToWeight<T>(items: readonly T[]): T[] {
  let bytes = 0;
  const behind = items.findIndex((item, at) => {
    bytes += weigh(item);
    return at > 0 && bytes > RECORD_BYTES;
  });
  return items.slice(0, behind === -1 ? items.length : behind);
}
