/** A connection string that cannot work ends a start with one sentence; one that may work later does not. */
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Server, ServerCredentials, status } from '@grpc/grpc-js';
import { type RunningEventStore, startEventStore } from '#embedded-event-store';
import { openAccess } from '#embedded-event-store/access';
import { requireNamespace } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createLogger, Fault, SettingRefused } from '#platform';
import { throughPort } from '../../support/connection-string.js';

const PASSWORD = 'a-password-of-the-store';
/** Long enough for a second attempt, which tells errors that are believed at once from those that are tried again. */
const LIMITS = { unavailableMs: 300, refusalMs: 0 };
const log = createLogger('settings', { level: 'silent' });
const directories: string[] = [];
const closings: (() => void)[] = [];
let secure: RunningEventStore;
let insecure: RunningEventStore;

beforeAll(async () => {
  secure = await startEventStore({ port: 0, dataDir: await makeDirectory() });
  insecure = await startEventStore({ port: 0, dataDir: await makeDirectory(), insecure: true });
});
afterAll(async () => {
  for (const close of closings) close();
  for (const store of [secure, insecure]) await store.stop();
  for (const directory of directories) await rm(directory, { recursive: true });
});

async function makeDirectory(): Promise<string> {
  const directory = await mkdtemp(path.join(tmpdir(), 'settings-'));
  directories.push(directory);
  return directory;
}

/** Starts as a program does. @returns the error that ends it. */
async function startWith(connectionString: string): Promise<unknown> {
  const store = connectEventStore(connectionString);
  try {
    return await endOfStart(store);
  } finally {
    await store.dispose();
  }
}

function endOfStart(store: Parameters<typeof requireNamespace>[0]): Promise<unknown> {
  return requireNamespace(store, log, new AbortController().signal, LIMITS).catch(
    (error: unknown) => error,
  );
}

/** @returns its port. */
async function listen(server: net.Server | http.Server, host = '127.0.0.1'): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => sockets.add(socket));
  closings.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  // A server that listens on TCP has an address with a port.
  return (server.address() as net.AddressInfo).port;
}

/** The connection string of an event store that refuses every reading with this status. */
async function refusingStore(code: status): Promise<string> {
  const server = new Server();
  const refuse = (call: net.Socket) => call.emit('error', { code, details: 'No.' });
  server.addService({ read: StreamsService.read }, { read: refuse as never });
  const port = await new Promise<number>((resolve, reject) => {
    const credentials = ServerCredentials.createInsecure();
    server.bindAsync('127.0.0.1:0', credentials, (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  closings.push(() => server.forceShutdown());
  return `esdb://ledger:${PASSWORD}@127.0.0.1:${port}?tls=false`;
}

type Case = readonly [what: string, connectionString: () => Promise<string>, sentence: RegExp];

const CASES: readonly Case[] = [
  [
    'a wrong password',
    async () => secure.connectionString.replace(/:[^:@]+@/, `:${PASSWORD}@`),
    /refuses the user or the password of EVENTSTOREDB_URL/,
  ],
  [
    'no credentials',
    async () => secure.connectionString.replace(/\/\/[^@]+@/, '//'),
    /asks for credentials, and EVENTSTOREDB_URL has none/,
  ],
  [
    'a certificate of another authority',
    async () => {
      const { authorityFile } = await openAccess(await makeDirectory());
      return secure.connectionString.replace(/tlsCAFile=.*/, `tlsCAFile=${authorityFile}`);
    },
    /certificate .* not accepted \(UNABLE_TO_VERIFY_LEAF_SIGNATURE\): tlsCAFile in EVENTSTOREDB_URL/,
  ],
  [
    'a private authority that is not named',
    async () => secure.connectionString.replace(/&tlsCAFile=.*/, ''),
    /certificate .* not accepted .*: tlsCAFile in EVENTSTOREDB_URL/,
  ],
  [
    'a certificate for other hosts',
    async () => {
      const front = net.createServer((near) => {
        const far = net.connect(secure.port, '127.0.0.1');
        near
          .on('error', () => undefined)
          .on('close', () => far.destroy())
          .pipe(far);
        far.on('error', () => near.destroy()).pipe(near);
      });
      const port = await listen(front, '127.0.0.2');
      return secure.connectionString.replace(/127\.0\.0\.1:\d+/, `127.0.0.2:${port}`);
    },
    /certificate .* not accepted \(ERR_TLS_CERT_ALTNAME_INVALID\): .* its host one that it is for/,
  ],
  [
    'no TLS where TLS is due',
    async () => `esdb://admin:${PASSWORD}@127.0.0.1:${secure.port}?tls=false`,
    /with TLS alone, and EVENTSTOREDB_URL says tls=false/,
  ],
  [
    'TLS where none is spoken',
    async () => throughPort(secure.connectionString, insecure.port),
    /EVENTSTOREDB_URL asks for TLS, and the event store there speaks none/,
  ],
  [
    'TLS where none is spoken, of a cluster to be discovered',
    async () =>
      `esdb+discover://admin:${PASSWORD}@127.0.0.1:${insecure.port}?tls=true&maxDiscoverAttempts=1`,
    /EVENTSTOREDB_URL asks for TLS, and the event store there speaks none/,
  ],
  [
    'a server of HTTP/1',
    async () => `esdb://127.0.0.1:${await listen(http.createServer())}?tls=false`,
    /EVENTSTOREDB_URL is no event store: it speaks HTTP\/1 alone/,
  ],
  [
    'an account that the store does not know, behind a front of it',
    async () => refusingStore(status.UNAUTHENTICATED),
    /refuses the user or the password of EVENTSTOREDB_URL/,
  ],
  [
    'a user without the right',
    async () => refusingStore(status.PERMISSION_DENIED),
    /denies the user of EVENTSTOREDB_URL a right/,
  ],
];

describe('a start ends with a sentence that names the setting', () => {
  it.each(CASES)('for %s', async (_, connectionString, sentence) => {
    const error = await startWith(await connectionString());
    expect(error).toBeInstanceOf(SettingRefused);
    const { message } = error as SettingRefused;
    expect(message).toMatch(sentence);
    expect(message).not.toContain(PASSWORD);
  });

  it('for a user that may read its streams, and not all', async () => {
    const own = connectEventStore(insecure.connectionString, { namespace: 'rights' });
    const other = connectEventStore(await refusingStore(status.PERMISSION_DENIED));
    await own.namespaces.open(1);
    const store: Parameters<typeof requireNamespace>[0] = {
      namespaces: own.namespaces,
      headPosition: () => other.headPosition(),
      serverVersion: () => own.serverVersion(),
      findSettingProblem: (error) => other.findSettingProblem(error),
    };
    expect(await endOfStart(store)).toBeInstanceOf(SettingRefused);
    await own.dispose();
    await other.dispose();
  });

  it('for a server that is too old', async () => {
    const own = connectEventStore(insecure.connectionString, { namespace: 'version' });
    await own.namespaces.open(1);
    const of = (version: string) => ({
      namespaces: own.namespaces,
      headPosition: () => own.headPosition(),
      serverVersion: async () => version,
      findSettingProblem: (error: unknown) => own.findSettingProblem(error),
    });
    const { message } = (await endOfStart(of('22.10.5'))) as SettingRefused;
    expect(message).toMatch(/EVENTSTOREDB_URL is of version 22\.10\.5, and 23\.10 is the oldest/);
    expect(await endOfStart(of(await own.serverVersion()))).toMatchObject({ namespace: 'version' });
    await own.dispose();
  });
});

describe('a start goes on trying', () => {
  it.each([
    ['where no program listens', async () => 'esdb://127.0.0.1:1?tls=true'],
    [
      'where connections end at once, as those to a store that is ending',
      async () => {
        const ending = net.createServer((socket) => socket.on('error', () => undefined).end());
        return throughPort(secure.connectionString, await listen(ending));
      },
    ],
  ])('%s', async (_, connectionString) => {
    const error = await startWith(await connectionString());
    expect(error).toBeInstanceOf(Fault);
    expect(error).not.toBeInstanceOf(SettingRefused);
  });

  it('where one host of several answers as it should', async () => {
    const url = (hosts: string) => `esdb://${hosts}?tls=false`;
    const refused = `127.0.0.1:${secure.port}`;
    const away = new Fault('unavailable', 'away', { retryable: true });
    const alone = connectEventStore(url(refused));
    const both = connectEventStore(url(`${refused},127.0.0.1:${insecure.port}`));
    expect(await alone.findSettingProblem(away)).toBeInstanceOf(SettingRefused);
    expect(await both.findSettingProblem(away)).toBeUndefined();
  });
});
