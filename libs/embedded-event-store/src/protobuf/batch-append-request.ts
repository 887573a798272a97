import { InvalidArgument, toError } from '../failures.js';
import type { ProposedEvent } from '../storage/record.js';
import {
  readExpectation,
  readProposedEvent,
  readStreamIdentifier,
  lengthDelimitedTag,
} from './append-messages.js';
import { ProtobufReader } from '#platform/protobuf';

export interface BatchOptions {
  readonly streamName: string;
  readonly expected: number;
  /** When the client gives up, in ms since 1970; undefined if it did not say. */
  readonly deadlineMs?: number;
}

/** One message of a request that may come in several; messages of others may lie between them. */
export interface BatchAppendMessage {
  /** The `UUID` message as it was sent; answers repeat it byte by byte. */
  readonly correlationId: Buffer;
  readonly options?: BatchOptions;
  readonly events: readonly ProposedEvent[];
  readonly isFinal: boolean;
  /** The message was readable enough to be answered, but not valid. */
  readonly problem?: Error;
}

/**
 * `BatchAppendReq { UUID correlation_id = 1; Options = 2; repeated ProposedMessage = 3; bool is_final = 4 }`. An error
 * inside a message is reported with its correlation id, so that it can be answered.
 */
export function readBatchAppendMessage(bytes: Buffer, nowMs: number): BatchAppendMessage {
  const reader = new ProtobufReader(bytes);
  let correlationId: Buffer | undefined;
  let isFinal = false;
  const parts: { tag: number; part: ProtobufReader }[] = [];
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1)) correlationId = reader.view();
    else if (tag === lengthDelimitedTag(2) || tag === lengthDelimitedTag(3))
      parts.push({ tag, part: reader.message() });
    else if (tag === 4 << 3) isFinal = reader.varint() !== 0;
    else reader.skip(tag);
  }
  if (!correlationId) throw new InvalidArgument('A batch needs a correlation id.');
  const events: ProposedEvent[] = [];
  let options: BatchOptions | undefined;
  let problem: Error | undefined;
  for (const { tag, part } of parts) {
    try {
      if (tag === lengthDelimitedTag(2)) options = readOptions(part, nowMs);
      else events.push(readProposedEvent(part));
    } catch (error) {
      problem = toError(error);
    }
  }
  return {
    correlationId,
    events,
    isFinal,
    ...(options && { options }),
    ...(problem && { problem }),
  };
}

/** `Options { StreamIdentifier = 1; oneof expected = 2..5; oneof { Timestamp = 6; Duration = 7 } }` */
function readOptions(reader: ProtobufReader, nowMs: number): BatchOptions {
  let streamName = '';
  let expected: number | undefined;
  let deadlineMs: number | undefined;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1)) streamName = readStreamIdentifier(reader.message());
    else if (tag === lengthDelimitedTag(6)) deadlineMs = readSecondsAndNanos(reader.message());
    else if (tag === lengthDelimitedTag(7))
      deadlineMs = nowMs + readSecondsAndNanos(reader.message());
    else {
      const expectation = readExpectation(reader, tag);
      if (expectation === undefined) reader.skip(tag);
      else expected = expectation;
    }
  }
  if (streamName === '') throw new InvalidArgument('A stream name is needed.');
  if (expected === undefined) throw new InvalidArgument('An expected revision is needed.');
  return { streamName, expected, ...(deadlineMs === undefined ? {} : { deadlineMs }) };
}

/** Near enough for a time: numbers below zero are exact to some thousands. */
function readSigned(reader: ProtobufReader): number {
  const value = reader.varint();
  return value < 2 ** 63 ? value : value - 2 ** 64;
}

function readSecondsAndNanos(reader: ProtobufReader): number {
  let ms = 0;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === 1 << 3) ms += readSigned(reader) * 1000;
    else if (tag === 2 << 3) ms += readSigned(reader) / 1_000_000;
    else reader.skip(tag);
  }
  return ms;
}
