import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openRedis, type Redis } from './open-redis.js';

/** The library's own pause is a second. */
const SOON_MS = 700;
let server: net.Server;
let redis: Redis;
let looks = 0;

/** A Redis that still reads its file when it is first looked at. */
function answer(command: string): string {
  if (!/^\$4\r\ninfo\b/i.test(command)) return '+PONG\r\n';
  looks += 1;
  const info = `loading:${looks === 1 ? 1 : 0}\r\nloading_eta_seconds:1`;
  return `$${info.length}\r\n${info}\r\n`;
}

beforeEach(async () => {
  server = net.createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      const commands = chunk
        .toString()
        .split(/^\*\d+\r\n/m)
        .slice(1);
      for (const command of commands) socket.write(answer(command));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => {
  redis.disconnect();
  server.close();
});

it('a Redis that reads its file at its start is used as soon as it is through', async () => {
  // It listens at a port of its own, which its address names.
  const { port } = server.address() as AddressInfo;
  const startedAt = performance.now();
  redis = openRedis(`redis://127.0.0.1:${port}`, { maxRetriesPerRequest: null });
  expect(await redis.ping()).toBe('PONG');
  expect(looks).toBe(2);
  expect(performance.now() - startedAt).toBeLessThan(SOON_MS);
});
