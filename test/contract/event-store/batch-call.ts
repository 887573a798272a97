import { randomUUID } from 'node:crypto';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import timestamps from 'google-protobuf/google/protobuf/timestamp_pb.js';
import emptyProto from 'google-protobuf/google/protobuf/empty_pb.js';
import { eventually } from '../../support/eventually.js';
import { identifier, type Subject } from './subject.js';

/** One open call, with all answers in the order of their arrival. */
export class BatchCall {
  readonly answers: streams.BatchAppendResp[] = [];
  readonly call: ReturnType<Subject['raw']['batchAppend']>;

  constructor(subject: Subject) {
    this.call = subject.raw.batchAppend();
    this.call.on('data', (answer: streams.BatchAppendResp) => this.answers.push(answer));
    this.call.on('error', () => undefined);
  }

  send(parts: Parts): void {
    this.call.write(batchMessage(parts));
  }

  answersTo(correlationId: string): streams.BatchAppendResp[] {
    return this.answers.filter((answer) => textUuid(answer.getCorrelationId()) === correlationId);
  }

  async answerTo(correlationId: string): Promise<streams.BatchAppendResp> {
    await eventually(() => this.answersTo(correlationId).length > 0);
    return this.answersTo(correlationId)[0]!;
  }
}

/** A message of a request: a whole one, with one small event, unless it says otherwise. */
export interface Parts {
  readonly correlationId: string;
  readonly stream?: string;
  readonly revision?: number;
  readonly deadlineMs?: number;
  readonly events?: number;
  readonly bytes?: number;
  readonly isFinal?: boolean;
  readonly properties?: Readonly<Record<string, string>>;
  /** Of its events; any of their own if it is left out. */
  readonly id?: string;
}

export function batchMessage(parts: Parts): streams.BatchAppendReq {
  const { correlationId, stream, revision, deadlineMs, isFinal = true } = parts;
  const message = new streams.BatchAppendReq();
  message.setCorrelationId(uuid(correlationId));
  message.setIsFinal(isFinal);
  if (stream !== undefined) {
    const options = new streams.BatchAppendReq.Options();
    options.setStreamIdentifier(identifier(stream));
    if (revision === undefined) options.setAny(new emptyProto.Empty());
    else options.setStreamPosition(String(revision));
    if (deadlineMs !== undefined) {
      options.setDeadline(timestamps.Timestamp.fromDate(new Date(Date.now() + deadlineMs)));
    }
    message.setOptions(options);
  }
  for (let n = 0; n < (parts.events ?? 1); n += 1) message.addProposedMessages(proposal(parts));
  return message;
}

function proposal({
  bytes = 10,
  properties,
  id = randomUUID(),
}: Parts): streams.BatchAppendReq.ProposedMessage {
  const proposed = new streams.BatchAppendReq.ProposedMessage();
  proposed.setId(uuid(id));
  const map = properties ?? { type: 'batch.tested.v1', 'content-type': 'application/octet-stream' };
  for (const [key, value] of Object.entries(map)) proposed.getMetadataMap().set(key, value);
  proposed.setData(Buffer.alloc(bytes, 1));
  return proposed;
}

export function uuid(text: string): sharedMessages.UUID {
  const id = new sharedMessages.UUID();
  id.setString(text);
  return id;
}

/** A UUID as text; EventStoreDB's Timeout answers carry it in the structured form. */
function textUuid(id: sharedMessages.UUID | undefined): string {
  const halves = id?.getStructured();
  if (!halves) return id?.getString() ?? '';
  const digits = [halves.getMostSignificantBits(), halves.getLeastSignificantBits()]
    .map((half) => BigInt.asUintN(64, BigInt(half)).toString(16).padStart(16, '0'))
    .join('');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}
