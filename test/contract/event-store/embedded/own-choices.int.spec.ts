/** This server's choices where nodes differ; the suite above accepts more. */
import { randomUUID } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  binaryEvent,
  ErrorType,
  NO_STREAM,
  WrongExpectedVersionError,
} from '@eventstore/db-client';
import { status } from '@grpc/grpc-js';
import { eventually } from '../../../support/eventually.js';
import { BatchCall } from '../batch-call.js';
import {
  events,
  olderCall,
  rawRead,
  readOptions,
  useSubject,
  failureStatus,
  streamTarget,
  uniqueStream,
} from '../subject.js';
import { appendTo, followStreams, SubscriptionLog } from '../subscription-log.js';

const subject = useSubject();

it('a filter that matches nothing reports, just before it is live, how far it came', async () => {
  const from = await appendTo(subject.client, uniqueStream(), 1);
  const end = await appendTo(subject.client, uniqueStream(), 1);
  const log = followStreams(subject.client, { prefixes: [uniqueStream()] }, from);
  await log.has('caught up');
  expect(log.lines.slice(-2)).toEqual(['checkpoint', 'caught up']);
  expect(log.checkpoints.at(-1)! >= end.commit).toBe(true);
  await log.subscription.unsubscribe();
});

it('a filter that matches nothing reports first behind where it starts', async () => {
  const from = await appendTo(subject.client, uniqueStream(), 1);
  await appendTo(subject.client, uniqueStream(), 100);
  const log = followStreams(
    subject.client,
    { prefixes: [uniqueStream()], maxSearchWindow: 10 },
    from,
  );
  await log.has('caught up');
  expect(log.checkpoints[0]! > from.commit).toBe(true);
  await log.subscription.unsubscribe();
});

it('an append of over 1 MiB is refused with that limit, by each call', async () => {
  const { client } = subject;
  const stream = uniqueStream();
  const data = new Uint8Array(600 * 1024);
  const large = () => [1, 2].map(() => binaryEvent({ type: 'large', data }));
  for (const options of [{}, olderCall(subject)]) {
    await expect(client.appendToStream(stream, large(), options)).rejects.toMatchObject({
      type: ErrorType.MAXIMUM_APPEND_SIZE_EXCEEDED,
      maxAppendSize: 1024 * 1024,
    });
  }
  const read = client.readStream(stream)[Symbol.asyncIterator]();
  await expect(read.next()).rejects.toMatchObject({ type: ErrorType.STREAM_NOT_FOUND });
});

it('a live filter tells once how far a burst went of which it wants nothing', async () => {
  const log = followStreams(
    subject.client,
    { prefixes: [uniqueStream()], maxSearchWindow: 1 },
    'end',
  );
  await log.has('caught up');
  const before = log.checkpoints.length;
  const end = await appendTo(subject.client, uniqueStream(), 10);
  await eventually(() => log.checkpoints.at(-1)! >= end.commit);
  expect(log.checkpoints).toHaveLength(before + 1);
  await log.subscription.unsubscribe();
});

it('a subscription to a stream that is not there is live at once', async () => {
  const log = new SubscriptionLog(subject.client.subscribeToStream(uniqueStream()));
  await log.has('caught up');
  expect(log.lines).toEqual(['confirmed', 'caught up']);
  await log.subscription.unsubscribe();
});

it('the metadata of a tombstoned stream takes no append', async () => {
  const stream = uniqueStream();
  await subject.client.setStreamMetadata(stream, { owner: 'me' });
  await subject.client.tombstoneStream(stream);
  await expect(subject.client.setStreamMetadata(stream, { owner: 'you' })).rejects.toMatchObject({
    type: ErrorType.STREAM_DELETED,
    streamName: `$$${stream}`,
  });
});

it('a soft-deleted stream knows a retry of its first events, and refuses what is beyond it', async () => {
  const { client } = subject;
  const stream = uniqueStream();
  const known = events(2);
  const first = { expectedRevision: NO_STREAM } as const;
  const appended = await client.appendToStream(stream, known, first);
  await client.deleteStream(stream);
  expect(await client.appendToStream(stream, known, first)).toEqual(appended);
  const beyond = client.appendToStream(stream, [...known, ...events(1)], first);
  await expect(beyond).rejects.toBeInstanceOf(WrongExpectedVersionError);
});

it('a half-closed BatchAppend call ends well when everything is answered', async () => {
  const batch = new BatchCall(subject);
  const correlationId = randomUUID();
  let code: number | undefined;
  batch.call.on('status', (ended) => (code = ended.code));
  batch.send({ correlationId, stream: uniqueStream() });
  batch.call.end();
  await eventually(() => code !== undefined);
  expect(code).toBe(status.OK);
  expect(batch.answersTo(correlationId)).toHaveLength(1);
});

it('a read without a UUID option is refused', async () => {
  const options = readOptions();
  options.clearUuidOption();
  options.setStream(streamTarget(uniqueStream()));
  options.setCount('1');
  expect((await failureStatus(rawRead(subject, options))).code).toBe(status.INVALID_ARGUMENT);
});
