/** The findings of `subledger store check` (rules/operators 9), in one process. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { GossipService } from '@eventstore/db-client/generated/gossip_grpc_pb.js';
import gossip from '@eventstore/db-client/generated/gossip_pb.js';
import { ServerFeaturesService } from '@eventstore/db-client/generated/serverfeatures_grpc_pb.js';
import features from '@eventstore/db-client/generated/serverfeatures_pb.js';
import { OperationsService } from '@eventstore/db-client/generated/operations_grpc_pb.js';
import { StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import { Metadata, Server, ServerCredentials, status } from '@grpc/grpc-js';
import { connectEventStore } from '#event-store/connect';
import { checkStore, describeCheck } from '../../../apps/cli/src/store/check.command.js';
import { eventually } from '../../support/eventually.js';
import { RestartableStore } from './support.js';

let server: RestartableStore;
beforeAll(async () => {
  server = await RestartableStore.start();
});
afterAll(() => server.remove());

it('names version, leader, TLS, namespace and rights, and writes nothing', async () => {
  const store = connectEventStore(server.connectionString);
  const head = await store.headPosition();
  const closed = await checkStore(store);
  expect(closed).toMatchObject({ isFit: true, isUsable: false });
  expect(describeCheck(closed).split('\n')).toEqual([
    'version    24.10.4',
    `leader     127.0.0.1:${server.port}`,
    'TLS        yes',
    'namespace  "sl" has not been opened: subledger store init',
    'rights     all',
  ]);
  expect(await store.headPosition()).toBe(head);
  await store.namespaces.open(1);
  expect(await checkStore(store)).toEqual({
    version: '24.10.4',
    isSupported: true,
    leader: `127.0.0.1:${server.port}`,
    tls: true,
    namespace: 'sl',
    isOpen: true,
    movedTo: null,
    missingRights: [],
    isFit: true,
    isUsable: true,
  });
  await store.dispose();
});

it('names each right that is missing, a missing leader and an old version', async () => {
  const { url, stop } = await startDenyingServer('22.10.5');
  const store = connectEventStore(url);
  expect(await store.inspect()).toEqual({
    version: '22.10.5',
    isSupported: false,
    leader: undefined,
    tls: false,
    namespace: 'sl',
    missingRights: [
      ...['read $all', 'read streams', 'append', 'read metadata', 'write metadata', 'delete'],
    ],
  });
  expect(await checkStore(store)).toMatchObject({ isOpen: false, isFit: false, isUsable: false });
  await store.dispose();
  stop();
});

it('scavenges, and tells how it ended', async () => {
  const store = connectEventStore(server.connectionString);
  expect(await store.scavenges.list()).toEqual([]);
  const id = await store.scavenges.start();
  const latest = async () => (await store.scavenges.list())?.[0];
  await eventually(async () => (await latest())?.endedAt !== undefined, { what: 'its end' });
  expect(await latest()).toMatchObject({ id, result: 'Success', error: undefined });
  await store.dispose();
});

it('says nothing of scavenges where the user may not, and fails where the store is away', async () => {
  const denying = await startDenyingServer('24.10.4');
  const store = connectEventStore(denying.url);
  expect(await store.scavenges.start()).toBeUndefined();
  expect(await store.scavenges.list()).toBeUndefined();
  denying.stop();
  await expect(store.scavenges.start()).rejects.toMatchObject({ retryable: true });
  await store.dispose();
});

type Answer = (error: object | null, value?: unknown) => void;

/** A server that tells its version, knows no leader, and denies every right. */
async function startDenyingServer(version: string): Promise<{ url: string; stop: () => void }> {
  const metadata = Metadata.fromHttp2Headers({ exception: 'access-denied' });
  const denied = { code: status.PERMISSION_DENIED, details: 'Access Denied', metadata };
  const denyStream = (call: { emit: (name: 'error', error: object) => void }) =>
    call.emit('error', denied);
  const deny = (_: unknown, answer: Answer) => answer(denied);
  const answerWith = (value: unknown) => (_: unknown, answer: Answer) => answer(null, value);
  const supported = new features.SupportedMethods();
  supported.setEventStoreServerVersion(version);
  const server = new Server();
  const streams = { read: denyStream, append: deny, batchAppend: denyStream };
  const implementations = [
    [StreamsService, { ...streams, delete: deny, tombstone: deny }],
    [ServerFeaturesService, { getSupportedMethods: answerWith(supported) }],
    [OperationsService, { startScavenge: deny }],
    [GossipService, { read: answerWith(new gossip.ClusterInfo()) }],
  ] as const;
  // The handlers' arguments are not looked at, so their types need not be those of the generated calls.
  for (const [service, calls] of implementations) server.addService(service, calls);
  const port = await new Promise<number>((resolve, reject) => {
    server.bindAsync('127.0.0.1:0', ServerCredentials.createInsecure(), (error, bound) => {
      if (error) reject(error);
      else resolve(bound);
    });
  });
  const url = `esdb://ledger:x@127.0.0.1:${port}?tls=false`;
  return { url, stop: () => server.forceShutdown() };
}
