import type { Position } from '#domain/event';
import { Fault } from '#platform';
import { RETRY_AFTER_BUILD_MS } from '../limits.js';

/**
 * How far a follower of the event store is, kept beside its documents and changed in the same atomic act (rules/events
 * 6). Its whole text is the fence: a writer that does not know the present one changes nothing.
 */
export interface Checkpoint {
  /** Everything up to here is applied; NOTHING before the first batch. */
  readonly position: Position;
  /** The ledger and its division that it is about. */
  readonly layoutId: string;
  /** New with every beginning: two that began at different times are never taken for the same. */
  readonly epoch: string;
  /**
   * New whenever a writer begins to move it, and with every change at a position where it stood already, as
   * of a stream that is parked no more: the same text means the same documents.
   */
  readonly mark?: string;
  /** Of a read model: the number of the generation (rules/read-models 1). */
  readonly generation?: number;
  /** Of a read model: the events that were applied to the generation in this partition. */
  readonly applied?: number;
  /**
   * Of a generation that answered without the gate's word, since nothing else did: it is to be verified, or was found to
   * differ from the events (rules/read-models 2).
   */
  readonly check?: 'due' | 'differs';
}

/** Before every position, as text. */
export const NOTHING: Position = '';

/** The position up to which all of them are, of which there is one at least. */
export function findLowest(positions: readonly Position[]): Position {
  return positions.reduce((lowest, each) => (each < lowest ? each : lowest));
}

export function encodeCheckpoint(checkpoint: Checkpoint): string {
  return JSON.stringify(checkpoint);
}

/** Undefined when there is none, or none that we wrote. */
export function decodeCheckpoint(stored: string | null | undefined): Checkpoint | undefined {
  if (stored === null || stored === undefined) return undefined;
  try {
    const parsed = JSON.parse(stored) as Partial<Checkpoint> | null;
    const { position, layoutId, epoch } = parsed ?? {};
    const isOurs = [position, layoutId, epoch].every((field) => typeof field === 'string');
    return isOurs ? (parsed as Checkpoint) : undefined;
  } catch {
    return undefined;
  }
}

/**
 * Half a read model answers wrongly, with a 404 for a document that is there: it does not answer at all.
 *
 * @throws Fault `unavailable` (retryable) unless the partition has all of history.
 */
export function requireBuilt(checkpoint: Checkpoint | undefined): Checkpoint {
  if (checkpoint !== undefined) return checkpoint;
  throw new Fault('unavailable', 'the read models are being built from the event store', {
    retryable: true,
    retryAfterMs: RETRY_AFTER_BUILD_MS,
  });
}
