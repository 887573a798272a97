import { fromMilliseconds, toMilliseconds } from '#domain/calendar';
import type { Instant } from '#domain/event';

/**
 * What is kept of a document's state. There are millions of them in Redis: values stand in a fixed order
 * without their names, nothing is kept that follows from the id or from another value, and instants are
 * milliseconds after the document's first one. A changed order needs a new `version` of the projection.
 *
 * Both ways are total, and each is the reverse of the other: a property test sees to it.
 */
export interface StateCodec<State> {
  /** Values that JSON has; null where nothing is. */
  pack(state: State, id: string): readonly unknown[];
  unpack(packed: readonly unknown[], id: string): State;
}

/** Leaves out what is null at the end: unpacking finds nothing there. */
export function trimmed(values: readonly unknown[]): readonly unknown[] {
  let length = values.length;
  while (length > 0 && (values[length - 1] ?? null) === null) length -= 1;
  return values.slice(0, length);
}

/** An instant as it is kept: in milliseconds after another one, or as it is when it cannot be counted. */
export type PackedInstant = number | Instant;

/** @param after in milliseconds; what `readBase` gives. */
export function packInstant(instant: Instant, after: number): PackedInstant;
export function packInstant(instant: Instant | null, after: number): PackedInstant | null;
export function packInstant(instant: Instant | null, after: number): PackedInstant | null {
  if (instant === null) return null;
  const milliseconds = toMilliseconds(instant);
  const isCounted = Number.isFinite(milliseconds) && fromMilliseconds(milliseconds) === instant;
  return isCounted ? milliseconds - after : instant;
}

/** The reverse of `packInstant`. */
export function unpackInstant(packed: PackedInstant, after: number): Instant;
export function unpackInstant(packed: PackedInstant | null, after: number): Instant | null;
export function unpackInstant(packed: PackedInstant | null, after: number): Instant | null {
  return typeof packed === 'number' ? fromMilliseconds(packed + after) : packed;
}

/** After which instant the others of a document are counted: its first one, packed after 0. */
export function readBase(first: PackedInstant): number {
  return typeof first === 'number' ? first : 0;
}
