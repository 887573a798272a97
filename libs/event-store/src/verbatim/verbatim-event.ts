import type { ReadResp } from '@eventstore/db-client/generated/streams_pb.js';
import type { Position } from '#domain/event';
import { assertDefect } from '#platform';
import { readUuid } from '../append-reply.js';
import { toPosition } from '../position.js';

/** What of an event a store is given, byte for byte: numbers beyond 2^53 and unknown fields stay as they are. */
export interface VerbatimForm {
  readonly id: string;
  readonly type: string;
  readonly contentType: string;
  readonly data: Uint8Array;
  readonly metadata: Uint8Array;
}

/** An event byte for byte, at its place in a store. */
export interface VerbatimEvent extends VerbatimForm {
  /** As the store knows it: with the namespace, and `$$` before it for a stream's metadata. */
  readonly streamName: string;
  /** Of the event that ends a stream for good, more than a number holds exactly. */
  readonly revision: number;
  readonly position: Position;
  /** By the store's clock, in milliseconds since 1970. */
  readonly createdAtMs: number;
}

/** Whether a stored name is that of the metadata of a stream. */
export function isAboutStream(streamName: string): boolean {
  return streamName.startsWith('$$');
}

/** Stores count in units of 100 nanoseconds. */
const TICKS_PER_MS = 10_000;

type RecordedMessage = ReadResp.ReadEvent.RecordedEvent;

export function readVerbatim(message: RecordedMessage): VerbatimEvent {
  const name = message.getStreamIdentifier()?.getStreamName_asU8();
  const id = message.getId();
  assertDefect(name !== undefined && id !== undefined, 'an event without a stream or an id');
  const entries = message.getMetadataMap();
  return {
    id: readUuid(id),
    type: entries.get('type') ?? '',
    contentType: entries.get('content-type') ?? 'application/octet-stream',
    data: message.getData_asU8(),
    metadata: message.getCustomMetadata_asU8(),
    streamName: Buffer.from(name).toString('utf8'),
    revision: Number(message.getStreamRevision()),
    position: toPosition({
      commit: BigInt(message.getCommitPosition()),
      prepare: BigInt(message.getPreparePosition()),
    }),
    createdAtMs: Number(entries.get('created') ?? 0) / TICKS_PER_MS,
  };
}
