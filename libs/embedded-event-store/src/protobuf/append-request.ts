import { InvalidArgument } from '../failures.js';
import type { ProposedEvent } from '../storage/record.js';
import {
  readExpectation,
  readProposedEvent,
  readStreamIdentifier,
  lengthDelimitedTag,
} from './append-messages.js';
import { ProtobufReader } from '#platform/protobuf';

/** `AppendReq { Options = 1 | ProposedMessage = 2 }`: the options come first, then the events. */
export type AppendMessage =
  | { readonly kind: 'options'; readonly streamName: string; readonly expected: number }
  | { readonly kind: 'event'; readonly event: ProposedEvent };

export function readAppendMessage(bytes: Buffer): AppendMessage {
  const reader = new ProtobufReader(bytes);
  let message: AppendMessage | undefined;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1))
      message = { kind: 'options', ...readTarget(reader.message()) };
    else if (tag === lengthDelimitedTag(2))
      message = { kind: 'event', event: readProposedEvent(reader.message()) };
    else reader.skip(tag);
  }
  if (!message) throw new InvalidArgument('An append message is empty.');
  return message;
}

/** Options of Append, Delete and Tombstone: the stream and its expected revision. */
function readTarget(reader: ProtobufReader): { streamName: string; expected: number } {
  let streamName = '';
  let expected: number | undefined;
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1)) {
      streamName = readStreamIdentifier(reader.message());
      continue;
    }
    const expectation = readExpectation(reader, tag);
    if (expectation === undefined) reader.skip(tag);
    else expected = expectation;
  }
  if (streamName === '') throw new InvalidArgument('A stream name is needed.');
  if (expected === undefined) throw new InvalidArgument('An expected revision is needed.');
  return { streamName, expected };
}

/** `DeleteReq` and `TombstoneReq`: one field with the options. */
export function readDeleteRequest(bytes: Buffer): { streamName: string; expected: number } {
  const reader = new ProtobufReader(bytes);
  for (let tag = reader.nextTag(); tag !== 0; tag = reader.nextTag()) {
    if (tag === lengthDelimitedTag(1)) return readTarget(reader.message());
    reader.skip(tag);
  }
  throw new InvalidArgument('Options are needed.');
}
