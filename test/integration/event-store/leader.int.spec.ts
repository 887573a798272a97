import { once } from 'node:events';
import { createServer, type ServerHttp2Session } from 'node:http2';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { EventStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { added, collect, RestartableStore } from './support.js';

let leader: RestartableStore;
let follower: Awaited<ReturnType<typeof startFollower>>;
let store: EventStore;

beforeEach(async () => {
  leader = await RestartableStore.start({ insecure: true });
  follower = await startFollower(leader.port);
  store = connectEventStore(`esdb://127.0.0.1:${follower.port}?tls=false`, {
    knownTypes: ['counter.added.v1'],
  });
});
afterEach(async () => {
  await store.dispose();
  await follower.stop();
  await leader.remove();
});

it('an append goes to the leader that a follower names', async () => {
  expect(await store.append('leader-1', 'no_stream', [added()])).toMatchObject({ revision: 0 });
  expect(follower.asked()).toBeGreaterThan(0);
});

it('a read goes to the leader that a follower names, and sees what was written there', async () => {
  const writer = connectEventStore(leader.connectionString);
  await writer.append('leader-1', 'no_stream', [added(1), added(2)]);
  await writer.dispose();
  expect(await collect(store.readStream('leader-1'))).toHaveLength(2);
  expect(follower.asked()).toBeGreaterThan(0);
  expect(await store.headRevision('leader-1')).toBe(1);
});

it('a read that finds no leader is a fault in bounded time', async () => {
  follower.namesItself();
  await expect(store.headRevision('leader-1')).rejects.toMatchObject({
    code: 'unavailable',
    retryable: true,
  });
  expect(follower.asked()).toBe(6);
});

/** A node that leads no more: it refuses calls that ask for the leader, and answers nothing else. */
async function startFollower(leaderPort: number) {
  let asked = 0;
  let named = leaderPort;
  const sessions = new Set<ServerHttp2Session>();
  const server = createServer()
    .on('session', (session) => sessions.add(session))
    .on('stream', (stream, headers) => {
      if (headers['requires-leader'] !== 'true') return;
      asked += 1;
      stream.respond(
        {
          ':status': 200,
          'content-type': 'application/grpc',
          'grpc-status': '5',
          exception: 'not-leader',
          'leader-endpoint-host': '127.0.0.1',
          'leader-endpoint-port': String(named),
        },
        { endStream: true },
      );
    })
    .listen(0, '127.0.0.1');
  await once(server, 'listening');
  // It listens at a port of its own, which its address names.
  const { port } = server.address() as AddressInfo;
  const stop = async () => {
    for (const session of sessions) session.destroy();
    await new Promise((resolve) => server.close(resolve));
  };
  return { port, stop, asked: () => asked, namesItself: () => (named = port) };
}
