import type { Position } from '#domain/event';

/** The client's form of a place in `$all`. Commit and prepare are equal for all that is appended by gRPC. */
export interface LogPosition {
  readonly commit: bigint;
  readonly prepare: bigint;
}

/**
 * The beginning of a subscription that has no checkpoint yet. It sorts before every position, and is not one, since a
 * store may well have an event at position 0.
 */
export const START: Position = '';

/** Twenty digits hold every unsigned 64-bit number. */
const DIGITS = 20;

/** The log position as text that sorts (`#domain/event`). */
export function toPosition(position: LogPosition): Position {
  return position.commit.toString().padStart(DIGITS, '0');
}

/** The reverse of `toPosition`. */
export function toLogPosition(position: Position): LogPosition {
  const commit = BigInt(position);
  return { commit, prepare: commit };
}
