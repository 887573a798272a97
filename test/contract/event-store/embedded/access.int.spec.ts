/** Credentials of the embedded event store and of its callers (rules/storage 1 to 3). */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { connect, type IncomingHttpHeaders } from 'node:http2';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { EventStoreDBClient } from '@eventstore/db-client';
import {
  CallCredentials,
  type ChannelCredentials,
  Client,
  credentials,
  Metadata,
  type ServiceError,
  status,
} from '@grpc/grpc-js';
import { openAccess } from '#embedded-event-store/access';
import { persistentSubscriptionHandlers } from '../../../../libs/embedded-event-store/src/grpc/server-info.js';
import { OPEN_METHODS, STREAMS } from '../../../../libs/embedded-event-store/src/grpc/services.js';
import { parseConnectionString } from '../../../support/connection-string.js';
import { collect, event } from '../subject.js';
import { RealStore } from './real-store.js';
import { encodeRequest } from './requests.js';

const STREAM = 'kept-1';

let otherDir: string;
let store: RealStore;
let client: EventStoreDBClient;
beforeAll(async () => {
  otherDir = await mkdtemp(path.join(tmpdir(), 'event-store-access-'));
  await openAccess(otherDir);
  store = await RealStore.start();
  ({ client } = store);
  await client.appendToStream(STREAM, [event({ n: 0 })]);
});
afterAll(async () => {
  await store.remove();
  await rm(otherDir, { recursive: true });
});

const readAuthority = (directory: string) => readFile(path.join(directory, 'access', 'ca.pem'));

type Call = readonly [method: string, name: string];

/** All calls that the server offers, with a request that would do something. */
const toCalls = (names: Iterable<string>) =>
  [...names].map((name): Call => [name.split('.').at(-1) ?? '', name]);
const STREAM_METHODS = ['Read', 'Append', 'BatchAppend', 'Delete', 'Tombstone'];
const OF_STREAMS = toCalls(STREAM_METHODS.map((name) => `${STREAMS}/${name}`));
const OPEN = toCalls(OPEN_METHODS);
const NOT_HERE = toCalls(persistentSubscriptionHandlers.map(([name]) => name));
const CALLS = [...OF_STREAMS, ...OPEN, ...NOT_HERE];

interface Outcome {
  readonly answers: Buffer[];
  readonly error: ServiceError | undefined;
}

/** Makes a call with all its messages, and waits for its end. */
async function call(
  name: string,
  channel: ChannelCredentials,
  streamName = STREAM,
): Promise<Outcome> {
  const raw = new Client(`127.0.0.1:${store.port}`, channel);
  const answers: Buffer[] = [];
  const asIs = (bytes: Buffer) => bytes;
  const options = { deadline: Date.now() + 20_000 };
  const error = await new Promise<ServiceError | undefined>((resolve) => {
    const stream = raw.makeBidiStreamRequest(name, asIs, asIs, new Metadata(), options);
    stream.on('data', (answer: Buffer) => answers.push(answer));
    stream.on('error', resolve).on('end', () => resolve(undefined));
    for (const message of encodeRequest(name, streamName)) stream.write(message);
    stream.end();
  });
  raw.close();
  return { answers, error };
}

async function secured(
  authorization?: string,
  directory = store.dataDir,
): Promise<ChannelCredentials> {
  const channel = credentials.createSsl(await readAuthority(directory));
  if (authorization === undefined) return channel;
  const generator = CallCredentials.createFromMetadataGenerator((_, answer) => {
    const metadata = new Metadata();
    metadata.set('authorization', authorization);
    answer(null, metadata);
  });
  return credentials.combineChannelCredentials(channel, generator);
}

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;

/** The stream as the right client reads it. */
async function kept(): Promise<unknown[]> {
  const read = await collect(client.readStream(STREAM));
  return read.map((resolved) => resolved.event?.data);
}

it.each([...OF_STREAMS, ...OPEN])(
  '%s is served to the one with the password',
  async (method, name) => {
    const { authorization = '' } = parseConnectionString(store.connectionString);
    const streamName = `served-${method}`;
    await client.appendToStream(streamName, [event()]);
    const { answers, error } = await call(name, await secured(authorization), streamName);
    expect(answers).toHaveLength(1);
    expect(error).toBeUndefined();
  },
);

describe.each(CALLS)('%s', (_, name) => {
  it('refuses wrong credentials', async () => {
    const { password } = parseConnectionString(store.connectionString).user;
    const wrong = [
      basic(`admin:${'x'.repeat(password.length)}`),
      basic(`admin:${password}x`),
      basic(`admin:${password.slice(0, -1)}`),
      basic(`other:${password}`),
      basic('admin:'),
      'Basic',
      'Basic !!',
      `Bearer ${password}`,
      password,
    ];
    for (const authorization of wrong) {
      const { answers, error } = await call(name, await secured(authorization));
      expect({ authorization, answers, code: error?.code }).toEqual({
        authorization,
        answers: [],
        code: status.UNAUTHENTICATED,
      });
    }
    expect(await kept()).toEqual([{ n: 0 }]);
  });

  it('is not there without TLS, or for who trusts another authority', async () => {
    const { authorization } = parseConnectionString(store.connectionString);
    for (const channel of [
      credentials.createInsecure(),
      credentials.createSsl(),
      await secured(authorization, otherDir),
    ]) {
      const { answers, error } = await call(name, channel);
      expect({ answers, code: error?.code }).toEqual({ answers: [], code: status.UNAVAILABLE });
    }
  });
});

it.each([...OF_STREAMS, ...NOT_HERE])(
  '%s refuses a caller without credentials',
  async (_, name) => {
    const { answers, error } = await call(name, await secured());
    expect({ answers, code: error?.code }).toEqual({ answers: [], code: status.PERMISSION_DENIED });
    expect(error?.metadata.get('exception')).toEqual(['access-denied']);
    expect(await kept()).toEqual([{ n: 0 }]);
  },
);

it.each(OPEN)('%s is open to all, as on an EventStoreDB node', async (_, name) => {
  const { answers } = await call(name, await secured());
  expect(answers).toHaveLength(1);
});

describe('a call whose first message is not whole', () => {
  /** Sends a megabyte of a message of nearly 20 MiB, the most that is taken, and waits. */
  async function statusOfHalf(name: string, authorization?: string): Promise<unknown> {
    const session = connect(`https://127.0.0.1:${store.port}`, {
      ca: await readAuthority(store.dataDir),
    });
    const stream = session.request({
      ':method': 'POST',
      ':path': name,
      'content-type': 'application/grpc',
      te: 'trailers',
      ...(authorization === undefined ? {} : { authorization }),
    });
    const announced = Buffer.alloc(5);
    announced.writeUInt32BE(20 * 1024 * 1024 - 1, 1);
    stream.write(announced);
    stream.write(Buffer.alloc(1024 * 1024));
    try {
      return await new Promise((resolve, reject) => {
        const hear = (headers: IncomingHttpHeaders) => {
          if (headers['grpc-status'] !== undefined) resolve(Number(headers['grpc-status']));
        };
        stream.on('response', hear).on('trailers', hear).on('error', reject).resume();
        stream.setTimeout(10_000, () => resolve('waits for the rest'));
      });
    } finally {
      session.destroy();
    }
  }

  it.each([...OF_STREAMS, ...NOT_HERE])('is refused at once: %s', async (_, name) => {
    expect(await statusOfHalf(name)).toBe(status.PERMISSION_DENIED);
    expect(await statusOfHalf(name, basic('admin:changeit'))).toBe(status.UNAUTHENTICATED);
  });

  it.each(OPEN)('is answered at once where its message says nothing: %s', async (_, name) => {
    expect(await statusOfHalf(name)).toBe(status.OK);
    expect(await statusOfHalf(name, basic('admin:changeit'))).toBe(status.UNAUTHENTICATED);
  });
});

it('is open to all where --insecure asks for it', async () => {
  const insecure = await RealStore.start({ insecure: true });
  expect(insecure.connectionString).toBe(`esdb://127.0.0.1:${insecure.port}?tls=false`);
  await insecure.client.appendToStream(STREAM, [event()]);
  expect(await collect(insecure.client.readStream(STREAM))).toHaveLength(1);
  await insecure.remove();
});
