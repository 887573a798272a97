import type { Position } from '#domain/event';
import { Fault } from '#platform';

/**
 * Why a stored event cannot be used:
 * - `unknown_type`: this version of the program knows no such type;
 * - `newer_version`: it knows the type, but an older version of it (a rolling deploy);
 * - `malformed`: data or metadata are none of ours;
 * - `upcaster_failed`: an upcaster of ours threw over its payload.
 */
export type UndecodableReason = 'unknown_type' | 'newer_version' | 'malformed' | 'upcaster_failed';

/** A stored event that could not be decoded, as it takes its place among events in a feed. */
export interface UndecodableItem {
  readonly undecodable: true;
  readonly id: string;
  readonly type: string;
  readonly streamName: string;
  readonly revision: number;
  readonly position: Position;
  readonly reason: UndecodableReason;
  /** Whose it is, where its metadata can be read. */
  readonly appId?: string;
}

/**
 * Thrown where a fold meets such an event: nothing may be decided on half a history. A live
 * projector parks the stream, a rebuild stops (rules/events 5).
 */
export class UndecodableEvent extends Fault {
  readonly item: UndecodableItem;

  /** @param cause the error of an upcaster. */
  constructor(item: UndecodableItem, cause?: unknown) {
    const { type, revision, streamName, reason } = item;
    const message = `event ${revision} of ${streamName}, a ${type}, cannot be decoded: ${reason}`;
    super('undecodable', message, { retryable: false, ...(cause !== undefined && { cause }) });
    this.item = item;
  }
}
