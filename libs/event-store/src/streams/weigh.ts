/** Of each value: the bytes for its kind and length. */
const OVERHEAD_BYTES = 2;
const NUMBER_BYTES = 8;

/**
 * About how many bytes plain data take, to within a factor of two of V8's form of them. To have it written for its
 * length costs eight times as much, and a buffer beside V8's heap for each state that is kept.
 */
export function weigh(value: unknown): number {
  if (typeof value === 'string') return OVERHEAD_BYTES + value.length;
  if (typeof value === 'number') return OVERHEAD_BYTES + NUMBER_BYTES;
  if (typeof value !== 'object' || value === null) return OVERHEAD_BYTES;
  let bytes = OVERHEAD_BYTES;
  if (value instanceof Map || value instanceof Set) {
    for (const part of value as Iterable<unknown>) bytes += weigh(part);
  } else {
    for (const [name, part] of Object.entries(value)) bytes += weigh(name) + weigh(part);
  }
  return bytes;
}
