/** Bad input, slow clients and clients that go away: the server stays up and within its memory. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http2 from 'node:http2';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { binaryEvent, EventStoreDBClient, type BinaryEventData } from '@eventstore/db-client';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type streamStubs from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Client, status, type ClientReadableStream, type ServiceError } from '@grpc/grpc-js';
import {
  channelCredentials,
  parseHost,
  parseConnectionString,
} from '../../../support/connection-string.js';
import { StoreProcess } from '../../../support/store-process.js';
import {
  collect,
  event,
  rawClient,
  readOptions,
  subscriptionRequest,
  uniqueStream,
} from '../subject.js';

const STREAMS = '/event_store.client.streams.Streams';

let store: StoreProcess;
let dataDir: string;
let client: EventStoreDBClient;

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'event-store-hostile-'));
  store = await StoreProcess.start(dataDir);
  client = EventStoreDBClient.connectionString(store.connectionString);
  await client.appendToStream('well-1', [event()]);
});
afterAll(async () => {
  await store.end();
  await rm(dataDir, { recursive: true, force: true });
});

/** Memory that is the server's own; the mapped file is the kernel's to give and to take. */
async function anonymousMb(): Promise<number> {
  const text = await readFile(`/proc/${store.child.pid}/status`, 'utf8').catch(() => '');
  return Number(/RssAnon:\s+(\d+) kB/.exec(text)?.[1] ?? 0) / 1024;
}

async function expectWell(): Promise<void> {
  expect(store.child.exitCode).toBeNull();
  const stream = uniqueStream();
  await client.appendToStream(stream, [event()]);
  expect(await collect(client.readStream(stream))).toHaveLength(1);
}

const asIs = (bytes: Buffer): Buffer => bytes;

async function unary(method: string, bytes: Buffer): Promise<ServiceError | null> {
  const raw = new Client(
    parseHost(store.connectionString),
    channelCredentials(store.connectionString),
  );
  const error = await new Promise<ServiceError | null>((resolve) => {
    const deadline = Date.now() + 5000;
    raw.makeUnaryRequest(`${STREAMS}/${method}`, asIs, asIs, bytes, { deadline }, resolve);
  });
  raw.close();
  return error;
}

it.each(['on the port', 'within TLS'])('random bytes %s', async (where) => {
  const ca = await readFile(parseConnectionString(store.connectionString).authorityFile ?? '');
  const connect = () =>
    where === 'within TLS'
      ? tls.connect({ port: store.port, host: '127.0.0.1', ca, ALPNProtocols: ['h2'] })
      : net.connect(store.port, '127.0.0.1');
  await Promise.all(
    Array.from({ length: 30 }, async (_, n) => {
      const socket = connect();
      socket.on('error', () => undefined);
      socket.write(n % 3 === 0 ? 'GET / HTTP/1.1\r\nHost: x\r\n\r\n' : randomBytes(10_000));
      if (n % 3 === 1) socket.write('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n' + 'x'.repeat(500));
      await new Promise((resolve) => setTimeout(resolve, 50));
      socket.destroy();
    }),
  );
  await expectWell();
});

it('messages that are not protobuf are refused, whatever the method', async () => {
  for (const method of ['Read', 'Append', 'Delete', 'Tombstone', 'BatchAppend']) {
    for (let n = 0; n < 20; n += 1) {
      const error = await unary(method, randomBytes(1 + n * 7));
      if (method !== 'BatchAppend') expect(error?.code).not.toBe(status.OK);
    }
  }
  await expectWell();
});

it('an append that never ends is cut at 1 MiB, not collected', async () => {
  const before = await anonymousMb();
  const events = Array.from({ length: 64 }, () =>
    binaryEvent({ type: 't', data: new Uint8Array(900 * 1024) }),
  );
  const refused = await Promise.allSettled(
    Array.from({ length: 4 }, async () => client.appendToStream('endless-1', events)),
  );
  expect(refused.map(({ status: how }) => how)).toEqual(refused.map(() => 'rejected'));
  expect((await anonymousMb()) - before).toBeLessThan(200);
  await expectWell();
});

it('thousands of half-open calls, and their end', async () => {
  const before = await anonymousMb();
  const { authorization, authorityFile } = parseConnectionString(store.connectionString);
  const ca = await readFile(authorityFile ?? '');
  const sessions = Array.from({ length: 30 }, () =>
    http2.connect(`https://127.0.0.1:${store.port}`, { ca }).on('error', () => undefined),
  );
  for (const session of sessions) {
    for (let n = 0; n < 100; n += 1) {
      const headers = { ':method': 'POST', 'content-type': 'application/grpc', te: 'trailers' };
      const call = session.request({
        ...headers,
        authorization,
        ':path': `${STREAMS}/${n % 2 ? 'Append' : 'BatchAppend'}`,
      });
      call.on('error', () => undefined);
      call.write(Buffer.from([0, 0, 0, 1, 0]));
    }
  }
  await expectWell();
  expect((await anonymousMb()) - before).toBeLessThan(150);
  for (const session of sessions) session.destroy();
  await expectWell();
});

it('a subscriber that does not read costs no memory', async () => {
  const data = randomBytes(100 * 1024);
  for (let n = 0; n < 40; n += 1) {
    await client.appendToStream(
      'bulk-1',
      Array.from({ length: 9 }, () => bulk(data)),
    );
  }
  const before = await anonymousMb();
  const raws = Array.from({ length: 20 }, () => rawClient(store.connectionString));
  const calls = raws.map((raw) => subscribeToAll(raw));
  // Each takes one message and then no more.
  await Promise.all(
    calls.map(
      async (call) =>
        new Promise<void>((resolve) => {
          call.once('data', () => {
            call.pause();
            resolve();
          });
        }),
    ),
  );
  for (let n = 0; n < 10; n += 1) await client.appendToStream('bulk-1', [bulk(data)]);
  // Unread, the 20 subscribers would have 720 MB between them.
  expect((await anonymousMb()) - before).toBeLessThan(150);
  for (const call of calls) call.cancel();
  for (const raw of raws) raw.close();
  await expectWell();
});

it('reads and subscriptions that are cancelled leave nothing behind', async () => {
  const raw = rawClient(store.connectionString);
  const openAndCancel = async (times: number): Promise<void> => {
    for (let n = 0; n < times; n += 1) {
      const call = subscribeToAll(raw);
      await new Promise((resolve) => call.once('data', resolve));
      call.cancel();
    }
  };
  await openAndCancel(100);
  const before = await anonymousMb();
  await openAndCancel(200);
  expect((await anonymousMb()) - before).toBeLessThan(30);
  raw.close();
  await expectWell();
});

function subscribeToAll(raw: streamStubs.StreamsClient): ClientReadableStream<streams.ReadResp> {
  const options = readOptions();
  options.setAll(new streams.ReadReq.Options.AllOptions());
  const call = raw.read(subscriptionRequest(options));
  call.on('error', () => undefined);
  return call;
}

function bulk(data: Buffer): BinaryEventData {
  return binaryEvent({ type: 'bulk', data });
}
