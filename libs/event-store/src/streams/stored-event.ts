import type { Position } from '#domain/event';

/**
 * The part of an event that a store is given, byte for byte: numbers beyond 2^53 and unknown fields stay as they are.
 */
export interface VerbatimForm {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** An event as a store gives it, byte for byte. */
export interface StoredEvent extends VerbatimForm {
  /** As the store knows it: with the namespace, and `$$` before it for a stream's metadata. */
  readonly streamName: string;
  /** Of the event that ends a stream for good, more than a number holds exactly. */
  readonly revision: number;
  readonly position: Position;
  /** By the store's clock, in milliseconds since 1970. */
  readonly createdAtMs: number;
}

/** The type of the event that ends a stream for good. */
export const STREAM_ENDED = '$streamDeleted';

/** Whether a stored name is that of the metadata of a stream. */
export function isAboutStream(streamName: string): boolean {
  return streamName.startsWith('$$');
}
