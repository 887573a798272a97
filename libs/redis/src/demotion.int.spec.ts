/** A planned failover behind one address: the former master lives on as a replica of the new one. */
import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import process from 'node:process';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.js';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { openRedis, type ConnectionLimits, type Redis } from './open-redis.js';
import { requireMaster } from './require-usable.js';

const CALL = { connectTimeout: 1_000, commandTimeout: 5_000 };
let servers: RunningRedis[];
let front: net.Server;
let leadsTo: number;
let connections: number;
let redis: Redis | undefined;

beforeAll(async () => {
  servers = await Promise.all([startRedis(), startRedis()]);
  front = net.createServer((client) => {
    connections += 1;
    const server = net.connect(leadsTo, '127.0.0.1');
    client.pipe(server).pipe(client);
    for (const socket of [client, server]) socket.on('error', () => undefined);
    client.on('close', () => server.destroy());
  });
  front.listen(0, '127.0.0.1');
  await once(front, 'listening');
});
beforeEach(async () => {
  for (const server of servers) await server.command('REPLICAOF NO ONE');
  leadsTo = server(0).port;
  connections = 0;
});
afterEach(() => redis?.disconnect());
afterAll(async () => {
  front.close();
  await Promise.all(servers.map((server) => server.stop()));
});

function server(index: 0 | 1): RunningRedis {
  const found = servers[index];
  if (found === undefined) throw new Error('a server that was not started');
  return found;
}

function connect(limits: Partial<ConnectionLimits> = {}): Redis {
  // The front listens at a port of its own, which its address names.
  const { port } = front.address() as AddressInfo;
  redis = openRedis(`redis://127.0.0.1:${port}`, { ...CALL, maxRetriesPerRequest: 1, ...limits });
  return redis;
}

async function demote({ isMoved }: { readonly isMoved: boolean }): Promise<void> {
  await server(0).command(`REPLICAOF 127.0.0.1 ${server(1).port}`);
  if (isMoved) leadsTo = server(1).port;
}

it.each([true, false])(
  'a write reaches the new master by itself, gathered: %s',
  async (gathersWrites) => {
    const client = connect({ gathersWrites });
    await client.set('before', '1');
    await demote({ isMoved: true });
    expect(await client.set('after', '1')).toBe('OK');
    expect(await client.eval("return redis.call('SET', KEYS[1], '2')", 1, 'after')).toBe('OK');
    expect(connections).toBe(2);
  },
);

it('many writes under way reach the new master, and Node.js warns of no listeners', async () => {
  const client = connect();
  await client.set('before', '1');
  const warnings: string[] = [];
  const note = ({ message }: Error) => warnings.push(message);
  process.on('warning', note);
  await demote({ isMoved: true });
  const writes = Array.from({ length: 50 }, (_, n) => client.set(`after ${n}`, '1'));
  expect(new Set(await Promise.all(writes))).toEqual(new Set(['OK']));
  process.off('warning', note);
  expect(warnings).toEqual([]);
  expect(connections).toBe(2);
});

it('a call that blocks goes on at the new master', async () => {
  const client = connect({ maxRetriesPerRequest: null, commandTimeout: undefined });
  await client.ping();
  const taken = client.blpop('list', 0);
  const observer = openRedis(server(0).url, { ...CALL, maxRetriesPerRequest: 1 });
  await eventually(async () => (await observer.info('clients')).includes('blocked_clients:1'));
  observer.disconnect();
  await demote({ isMoved: true });
  await eventually(() => connections === 2);
  await server(1).command('RPUSH list x');
  expect(await taken).toEqual(['list', 'x']);
});

it('a connection that never waits says READONLY once, and the next call reaches the new master', async () => {
  const client = connect({ maxRetriesPerRequest: 0 });
  await client.set('before', '1');
  await demote({ isMoved: true });
  await expect(client.set('after', '1')).rejects.toThrow(/^READONLY/);
  const succeeds = () =>
    client.set('after', '1').then(
      () => true,
      () => false,
    );
  await eventually(succeeds);
});

it('a program that only reads is not ready until its connection leads to the master', async () => {
  const client = connect({ maxRetriesPerRequest: 0 });
  await requireMaster(client);
  await demote({ isMoved: false });
  await expect(requireMaster(client)).rejects.toThrow('this server is a replica');
  leadsTo = server(1).port;
  const isReady = () =>
    requireMaster(client).then(
      () => true,
      () => false,
    );
  await eventually(isReady);
});

it('a server that tells no role is ready as soon as it answers', async () => {
  await server(0).command('ACL SETUSER shy on nopass ~* +@all -role');
  const { port } = server(0);
  redis = openRedis(`redis://shy:x@127.0.0.1:${port}`, { ...CALL, maxRetriesPerRequest: 1 });
  await expect(requireMaster(redis)).resolves.toBeUndefined();
});

it('the address is asked seldom while it leads to the replica, and the write ends within its limit', async () => {
  const client = connect({ commandTimeout: 2_000 });
  await client.set('before', '1');
  await demote({ isMoved: false });
  await expect(client.set('after', '1')).rejects.toThrow('Command timed out');
  expect(connections).toBeLessThan(25);
});
