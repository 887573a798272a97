/** Requests as bytes, for clients that have no library. */
import { randomUUID } from 'node:crypto';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { batchMessage, uuid } from '../batch-call.js';
import { identifier, readOptions, streamTarget } from '../subject.js';

/** The messages of a call that would work on a stream, whatever is in it. */
export function encodeRequest(name: string, stream: string): Buffer[] {
  switch (name.slice(name.lastIndexOf('/') + 1)) {
    case 'Append':
      return appendRequest(stream);
    case 'BatchAppend':
      return [batchAppendRequest(stream)];
    case 'Delete':
      return [deletion(stream, new streams.DeleteReq(), new streams.DeleteReq.Options())];
    case 'Tombstone':
      return [deletion(stream, new streams.TombstoneReq(), new streams.TombstoneReq.Options())];
    default:
      return [name.endsWith('Streams/Read') ? readRequest(stream) : Buffer.alloc(0)];
  }
}

function readRequest(stream: string): Buffer {
  const options = readOptions();
  options.setStream(streamTarget(stream));
  options.setCount('10');
  const request = new streams.ReadReq();
  request.setOptions(options);
  return Buffer.from(request.serializeBinary());
}

function appendRequest(stream: string): Buffer[] {
  const messages = [
    appendTarget(stream),
    proposal({ type: 'a', 'content-type': 'application/json' }),
  ];
  return messages.map((message) => Buffer.from(message.serializeBinary()));
}

/** The first message of an append. */
export function appendTarget(stream: string): streams.AppendReq {
  const options = new streams.AppendReq.Options();
  options.setStreamIdentifier(identifier(stream));
  options.setAny(new shared.Empty());
  const message = new streams.AppendReq();
  message.setOptions(options);
  return message;
}

/** The message of an event with these properties. */
export function proposal(properties: Readonly<Record<string, string>>): streams.AppendReq {
  const event = new streams.AppendReq.ProposedMessage();
  event.setId(uuid(randomUUID()));
  for (const [key, value] of Object.entries(properties)) event.getMetadataMap().set(key, value);
  const message = new streams.AppendReq();
  message.setProposedMessage(event);
  return message;
}

function batchAppendRequest(stream: string): Buffer {
  const correlationId = '0a0b0c0d-0000-4000-8000-000000000001';
  return Buffer.from(batchMessage({ correlationId, stream }).serializeBinary());
}

function deletion(
  stream: string,
  request: streams.DeleteReq | streams.TombstoneReq,
  options: streams.DeleteReq.Options & streams.TombstoneReq.Options,
): Buffer {
  options.setStreamIdentifier(identifier(stream));
  options.setAny(new shared.Empty());
  request.setOptions(options);
  return Buffer.from(request.serializeBinary());
}
