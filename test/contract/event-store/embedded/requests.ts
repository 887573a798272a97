/** Requests as bytes, for clients that have no library. */
import google from 'google-protobuf/google/protobuf/empty_pb.js';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
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
  const options = new streams.AppendReq.Options();
  options.setStreamIdentifier(identifier(stream));
  options.setAny(new shared.Empty());
  const first = new streams.AppendReq();
  first.setOptions(options);
  const proposed = new streams.AppendReq.ProposedMessage();
  proposed.setId(uuid());
  proposed.getMetadataMap().set('type', 'a').set('content-type', 'application/json');
  const second = new streams.AppendReq();
  second.setProposedMessage(proposed);
  return [first, second].map((message) => Buffer.from(message.serializeBinary()));
}

function batchAppendRequest(stream: string): Buffer {
  const options = new streams.BatchAppendReq.Options();
  options.setStreamIdentifier(identifier(stream));
  options.setAny(new google.Empty());
  const proposed = new streams.BatchAppendReq.ProposedMessage();
  proposed.setId(uuid());
  proposed.getMetadataMap().set('type', 'a').set('content-type', 'application/json');
  const request = new streams.BatchAppendReq();
  request.setCorrelationId(uuid());
  request.setOptions(options);
  request.addProposedMessages(proposed);
  request.setIsFinal(true);
  return Buffer.from(request.serializeBinary());
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

function uuid(): shared.UUID {
  const id = new shared.UUID();
  id.setString('0a0b0c0d-0000-4000-8000-000000000001');
  return id;
}
