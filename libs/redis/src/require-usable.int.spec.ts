import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freePort } from '../../../test/support/free-port.js';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { requireUsableRedis } from './require-usable.js';

const QUEUES = { hasQueues: true };
let server: RunningRedis;
let node: RunningRedis;

beforeAll(async () => {
  [server, node] = await Promise.all([startRedis(), startRedis({ busPort: await freePort() })]);
  await node.command('CLUSTER ADDSLOTSRANGE 0 16383');
});
afterAll(() => Promise.all([server.stop(), node.stop()]));

/** A server that does not know XADD. */
async function serveWithoutStreams(): Promise<net.Server> {
  const server = net.createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      const commands = chunk.toString().split(/^\*\d+\r\n/m);
      for (const command of commands.slice(1)) {
        socket.write(/^\$7\r\ncommand\b/i.test(command) ? '*1\r\n*-1\r\n' : '+OK\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

describe('a program that starts', () => {
  it('takes a Redis with streams', async () => {
    await expect(requireUsableRedis(server.url, QUEUES)).resolves.toBeUndefined();
  });

  it('names a server without streams, where it has queues', async () => {
    const other = await serveWithoutStreams();
    // It listens at a port of its own, which its address names.
    const { port } = other.address() as AddressInfo;
    const url = `redis://127.0.0.1:${port}`;
    await expect(requireUsableRedis(url, QUEUES)).rejects.toThrow('knows no streams (XADD)');
    await expect(requireUsableRedis(url, { hasQueues: false })).resolves.toBeUndefined();
    other.close();
  });

  it('names the node of a cluster that announces no address', async () => {
    const url = `redis://127.0.0.1:${node.port},localhost:${node.port}`;
    await node.command('CONFIG SET cluster-announce-ip ""');
    await expect(requireUsableRedis(url, QUEUES)).rejects.toThrow(
      new RegExp(`^Node [0-9a-f]{40} \\(port ${node.port}\\) of the Redis Cluster at REDIS_URL`),
    );
    await node.command('CONFIG SET cluster-announce-ip 127.0.0.1');
    await expect(requireUsableRedis(url, QUEUES)).resolves.toBeUndefined();
  });

  it('waits as ever for a Redis that does not answer', async () => {
    const url = `redis://127.0.0.1:${await freePort()}`;
    await expect(requireUsableRedis(url, QUEUES)).resolves.toBeUndefined();
  });
});
