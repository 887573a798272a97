/** The content that a restart keeps, and how open calls end at a stop. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import { binaryEvent, type EventStoreDBClient } from '@eventstore/db-client';
import { status, type ServiceError } from '@grpc/grpc-js';
import { eventually } from '../../../support/eventually.js';
import {
  collect,
  event,
  events,
  rawClient,
  rawRead,
  readOptions,
  listRevisions,
  streamTarget,
  subscriptionRequest,
  uniqueStream,
} from '../subject.js';
import { RealStore } from './real-store.js';
import { appendTarget } from './requests.js';

let store: RealStore;
beforeEach(async () => {
  store = await RealStore.start();
});
afterEach(async () => store.remove());

it('keeps events, revisions and positions, and gives no position twice', async () => {
  const stream = uniqueStream();
  const before = await store.client.appendToStream(stream, events(3));
  const all = await collect(store.client.readAll());
  await store.restart();
  expect(await collect(store.client.readAll())).toEqual(all);
  const after = await store.client.appendToStream(stream, events(1), { expectedRevision: 2n });
  expect(after.position!.commit > before.position!.commit).toBe(true);
  expect(listRevisions(await collect(store.client.readStream(stream)))).toEqual([0, 1, 2, 3]);
});

it('keeps what events say, packed or not, byte for byte', async () => {
  const stream = uniqueStream();
  const bytes = [randomBytes(20), randomBytes(5000), Buffer.alloc(100_000, 'again and ')];
  const raw = bytes.map((data) =>
    binaryEvent({ type: 'contract.packed.v1', data, metadata: data.subarray(0, 999) }),
  );
  await store.client.appendToStream(stream, [...raw, event({ actor: 'process:tested' })]);
  const before = await collect(store.client.readStream(stream));
  await store.restart();
  const after = await collect(store.client.readStream(stream));
  expect(after).toEqual(before);
  expect(after.slice(0, 3).map(({ event: read }) => Buffer.from(read!.data as Uint8Array))).toEqual(
    bytes,
  );
});

it('finds streams whose names are too long for a key', async () => {
  const [one, two] = ['a', 'b'].map((end) => `${uniqueStream('x'.repeat(3000))}${end}`);
  await store.client.appendToStream(one!, events(2));
  await store.client.appendToStream(two!, events(1));
  await store.restart();
  expect(await collect(store.client.readStream(one!))).toHaveLength(2);
  expect(await collect(store.client.readStream(two!))).toHaveLength(1);
});

it('ends subscriptions with UNAVAILABLE when it stops, never with success', async () => {
  const raw = rawClient(store.connectionString);
  const options = readOptions();
  options.setStream(streamTarget(uniqueStream()));
  const call = raw.read(subscriptionRequest(options));
  let isLive = false;
  let ended: ServiceError | undefined;
  let hasEndedWell = false;
  call
    .on('data', (answer: streams.ReadResp) => (isLive ||= answer.hasCaughtUp()))
    .on('error', (error: ServiceError) => (ended = error))
    .on('end', () => (hasEndedWell = ended === undefined));
  await eventually(() => isLive);
  await store.stop();
  await eventually(() => ended !== undefined);
  expect(ended?.code).toBe(status.UNAVAILABLE);
  expect(hasEndedWell).toBe(false);
  raw.close();
});

it('ends a classic append under way with UNAVAILABLE and the same words', async () => {
  const raw = rawClient(store.connectionString);
  let ended: ServiceError | undefined;
  const call = raw.append((error) => (ended = error ?? undefined));
  call.write(appendTarget(uniqueStream()));
  // A connection's calls begin in order: the call after the append is answered.
  await rawRead({ raw }, streamRead('$system'));
  await store.stop();
  await eventually(() => ended !== undefined);
  expect(ended).toMatchObject({
    code: status.UNAVAILABLE,
    details: 'The event store is stopping.',
  });
  raw.close();
});

it('answers or fails every append that is in flight when it stops', async () => {
  const client: EventStoreDBClient = store.client;
  const stream = uniqueStream();
  await client.appendToStream(stream, [event()]);
  const appends = Array.from({ length: 50 }, async () => client.appendToStream(stream, [event()]));
  const settled = Promise.allSettled(appends);
  await store.stopNode();
  const acknowledged = (await settled).filter(({ status: how }) => how === 'fulfilled').length;
  await store.start();
  const kept = await collect(store.client.readStream(stream));
  expect(kept.length).toBeGreaterThanOrEqual(acknowledged + 1);
});

function streamRead(stream: string): streams.ReadReq.Options {
  const options = readOptions();
  options.setStream(streamTarget(stream));
  options.setCount('1');
  return options;
}

it('is not held up in its stop by a connection that never says hello', async () => {
  const silent = connect(store.port, '127.0.0.1');
  await once(silent, 'connect');
  const ended = once(silent, 'close');
  await store.restart();
  await ended;
}, 30_000);
