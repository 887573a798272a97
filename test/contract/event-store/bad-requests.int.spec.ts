/** Requests that a node refuses before it looks at the stream (rules/protocol 2 and 4). */
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import sharedMessages from '@eventstore/db-client/generated/shared_pb.js';
import type streams from '@eventstore/db-client/generated/streams_pb.js';
import { status } from '@grpc/grpc-js';
import { BatchCall, type Parts } from './batch-call.js';
import { appendTarget, proposal } from './embedded/requests.js';
import { useSubject, failureStatus, uniqueStream } from './subject.js';

const subject = useSubject();

describe('BatchAppend', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  it.each<[what: string, parts: Partial<Parts>]>([
    ['an event with an empty type', { properties: { type: '', ...JSON_TYPE } }],
    ['an event without a type', { properties: JSON_TYPE }],
    ['an event without a content type', { properties: { type: 't' } }],
    ['an event with an id of zeros', { id: '00000000-0000-0000-0000-000000000000' }],
    ['an event with a broken id', { id: 'not-an-id' }],
    ['an event with an empty id', { id: '' }],
    ['an empty stream name', { stream: '' }],
    ['the name $$ alone', { stream: '$$' }],
  ])('answers %s with BadRequest, saying why, and goes on', async (_what, parts) => {
    const batch = new BatchCall(subject);
    const [bad, good] = [randomUUID(), randomUUID()];
    const stream = uniqueStream();
    batch.send({ stream, ...parts, correlationId: bad });
    const error = (await batch.answerTo(bad)).getError();
    expect(error?.getDetails()?.getTypeName()).toBe('event_store.client.BadRequest');
    const details = error!
      .getDetails()!
      .unpack(
        (bytes) => sharedMessages.BadRequest.deserializeBinary(bytes),
        'event_store.client.BadRequest',
      );
    expect(details?.getMessage()).not.toBe('');
    batch.send({ correlationId: good, stream });
    expect((await batch.answerTo(good)).getSuccess()?.getCurrentRevision()).toBe('0');
    batch.call.cancel();
  });

  it('takes the metadata of metadata, and long names if they are not refused with a text', async () => {
    const batch = new BatchCall(subject);
    const [meta, long] = [randomUUID(), randomUUID()];
    batch.send({ correlationId: meta, stream: `$$$$${uniqueStream()}` });
    batch.send({ correlationId: long, stream: uniqueStream('x'.repeat(5000)) });
    expect((await batch.answerTo(meta)).hasSuccess()).toBe(true);
    const answer = await batch.answerTo(long);
    expect(answer.getError()?.getMessage() ?? 'taken').not.toBe('');
    batch.call.cancel();
  });
});

describe('Append', () => {
  it('refuses an event without a type, naming what is missing', async () => {
    const refused = rawAppend([
      appendTarget(uniqueStream()),
      proposal({ 'content-type': 'application/json' }),
    ]);
    const error = await failureStatus(refused);
    expect(error.code).toBe(status.INVALID_ARGUMENT);
    expect(error.metadata.get('exception')).toEqual(['missing-required-metadata-property']);
    expect(error.metadata.get('required-metadata-properties')).toHaveLength(1);
  });

  it('refuses events without options', async () => {
    const error = await failureStatus(
      rawAppend([proposal({ type: 't', 'content-type': 'application/json' })]),
    );
    expect(error.code).not.toBe(status.OK);
  });

  it('refuses an empty stream name', async () => {
    const error = await failureStatus(rawAppend([appendTarget('')]));
    expect(error.code).not.toBe(status.OK);
  });
});

async function rawAppend(messages: streams.AppendReq[]): Promise<streams.AppendResp> {
  return new Promise((resolve, reject) => {
    const call = subject.raw.append((error, answer) => {
      if (error) reject(error);
      else resolve(answer);
    });
    for (const message of messages) call.write(message);
    call.end();
  });
}
