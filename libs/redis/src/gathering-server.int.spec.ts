import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Redis as Server } from 'ioredis';
import { openRedis, type Redis } from './open-redis.js';

let server: net.Server;
let redis: Redis;
/** The pieces as they came, and the commands of a test in them. */
let pieces: string[];

beforeEach(async () => {
  pieces = [];
  server = net.createServer((socket) => {
    socket.on('data', (chunk: Buffer) => {
      const text = chunk.toString();
      if (text.includes('echo')) pieces.push(text);
      const commands = text.split(/^\*\d+\r\n/m).slice(1);
      for (const command of commands) socket.write(answer(command));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const limits = { maxRetriesPerRequest: null, commandTimeout: 5_000, gathersWrites: true };
  redis = openRedis(`redis://127.0.0.1:${port}`, limits);
  await redis.ping();
});
afterEach(() => {
  redis.disconnect();
  server.close();
});

/** Echoes are answered by their text, but for one that is never answered. */
function answer(command: string): string {
  if (/^\$4\r\ninfo\b/i.test(command)) return '$9\r\nloading:0\r\n';
  const [, text] = /^\$4\r\necho\r\n\$\d+\r\n(.*)\r\n/i.exec(command) ?? [];
  if (text === 'never') return '';
  return text === undefined ? '+PONG\r\n' : `+${text}\r\n`;
}

it('what is asked in one turn leaves in one write, and each is answered', async () => {
  // One server was named, so it is a connection to one.
  const { stream } = redis as Server;
  const writes: number[] = [];
  const write = stream._writev?.bind(stream);
  stream._writev = (chunks, done) => {
    writes.push(chunks.length);
    write?.(chunks, done);
  };
  const texts = ['one', 'two', 'three'];
  expect(await Promise.all(texts.map((text) => redis.echo(text)))).toEqual(texts);
  expect(writes).toEqual([3]);
  expect(await redis.echo('four')).toBe('four');
  expect(stream.writableCorked).toBe(0);
});

it('what is asked waits for no answer to what was asked before', async () => {
  const never = redis.echo('never').catch(() => undefined);
  await pause(1);
  const next = redis.echo('next').catch(() => undefined);
  while (pieces.length < 2) await pause(1);
  expect(pieces[1]).toContain('next');
  redis.disconnect();
  await Promise.all([never, next]);
});
