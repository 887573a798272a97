import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { createLogger } from '#platform';
import { eventually } from '../../support/eventually.js';
import { type Acts, watchActs } from '../../../libs/nest/src/http/edge/acts.js';
import { closeInOrder } from '../../../libs/nest/src/http/edge/draining.js';
import { answerError } from '../../../libs/nest/src/http/edge/error.filter.js';
import { createFastifyAdapter } from '../../../libs/nest/src/http/edge/server.js';

/** The real ones are 2 s and 5 s. */
const LIMITS = { unsentMs: 200, untakenMs: 300 };
/** Far more than the limits, and less than a client could hold: 2 minutes, 30 s. */
const SOON_MS = 15_000;
const CSV = ['content-type: text/csv', 'content-length: 16', 'connection: close'];
const log = createLogger('test', { level: 'silent' });

describe('a stop', () => {
  let fastify: FastifyInstance;
  let acts: Acts;
  let finishAct: () => void;
  let socket: Socket;
  let received: string;

  beforeEach(async () => {
    fastify = createFastifyAdapter(log, new AbortController().signal).getInstance();
    fastify.setErrorHandler((error, request, reply) => answerError(error, request, reply, log));
    acts = watchActs(fastify);
    const act = new Promise<void>((resolve) => (finishAct = resolve));
    fastify.get('/act', async () => act.then(() => 'done'));
    fastify.post('/act', async () => act.then(() => 'done'));
    fastify.put('/slow-file', { config: { takes: 'sheet' } }, async ({ body }) => {
      for await (const bytes of body as Readable) log.debug({ length: (bytes as Buffer).length });
      return act;
    });
    // A stream: of an answer in one piece Node itself cuts off the part that the system has not taken yet.
    const pieces = Array.from({ length: 512 }, () => Buffer.alloc(64 * 1024));
    fastify.get('/large', async () => Readable.from(pieces));
    fastify.put('/file', { config: { takes: 'sheet' } }, async ({ body }) => {
      // The body of a file's request is its stream.
      for await (const bytes of body as Readable) log.debug({ length: (bytes as Buffer).length });
      return 'taken';
    });
    await fastify.listen({ port: 0, host: '127.0.0.1' });
    // A server that listens on TCP has an address with a port.
    socket = connect((fastify.server.address() as { port: number }).port, '127.0.0.1');
    received = '';
    await once(socket, 'connect');
    socket.on('error', () => undefined);
  });

  afterEach(async () => {
    socket.destroy();
    finishAct();
    await fastify.close();
  });

  /** Reads all that comes. Resolves when the connection has ended. */
  function readAll(): Promise<unknown> {
    socket.on('data', (bytes) => (received += bytes.toString('latin1')));
    return once(socket, 'close');
  }

  /** Sends a request, and waits until it is at work. */
  async function send(line: string, headers: readonly string[] = [], body = ''): Promise<void> {
    socket.write([`${line} HTTP/1.1`, 'host: x', ...headers, '', body].join('\r\n'));
    await eventually(() => [...acts].length > 0, { what: 'the request' });
  }

  /** @returns how long it took. */
  async function stop(limits = LIMITS): Promise<number> {
    const startedAt = performance.now();
    await closeInOrder(fastify.server, acts, () => fastify.close(), limits);
    return performance.now() - startedAt;
  }

  it('does not wait for the rest of a file that is never sent whole', async () => {
    await send('PUT /file', CSV, 'gems,');
    const end = readAll();
    expect(await stop()).toBeLessThan(SOON_MS);
    await end;
    expect(received).toBe('');
  }, 60_000);

  it('does not wait for a client that does not take its answer', async () => {
    await send('GET /large');
    const tookMs = await stop();
    expect(tookMs).toBeGreaterThanOrEqual(LIMITS.untakenMs - 50);
    expect(tookMs).toBeLessThan(SOON_MS);
  }, 60_000);

  it('waits for the rest of a file that is sent in time, and answers it', async () => {
    await send('PUT /file', CSV, 'gems,');
    const end = readAll();
    const stopped = stop({ ...LIMITS, unsentMs: SOON_MS });
    socket.write('US,USD,9.99');
    await stopped;
    await end;
    expect(received).toMatch(/^HTTP\/1\.1 200 .*taken$/s);
  }, 60_000);

  it.each([
    ['GET /act', []],
    ['GET /large', []],
    ['POST /act', ['content-type: application/json', 'content-length: 2']],
    ['PUT /slow-file', CSV],
  ])('remembers no act of a client that went away: %s', async (line, headers) => {
    await send(
      line,
      headers,
      line.startsWith('PUT') ? 'gems,US,USD,9.99' : headers.length > 0 ? '{}' : '',
    );
    // The body is read by then: only its answer is missing.
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([...acts]).toHaveLength(1);
    socket.destroy();
    await eventually(() => [...acts].length === 0, { what: 'the act to be forgotten' });
  });

  it('remembers no act of those that waited behind another one of a client that went away', async () => {
    socket.write('GET /act HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(3));
    await eventually(() => [...acts].length === 3, { what: 'the requests' });
    socket.destroy();
    await eventually(() => [...acts].length === 0, { what: 'the acts to be forgotten' });
  });

  it('remembers no act that is answered, while its connection stays', async () => {
    socket.on('data', (bytes) => (received += bytes.toString('latin1')));
    await send('GET /act');
    finishAct();
    await eventually(() => received.endsWith('done'), { what: 'the answer' });
    await eventually(() => [...acts].length === 0, { what: 'the act to be forgotten' });
    expect(socket.destroyed).toBe(false);
  });

  it('waits for an act for longer than for clients', async () => {
    await send('GET /act');
    const end = readAll();
    setTimeout(finishAct, 2 * (LIMITS.unsentMs + LIMITS.untakenMs));
    await stop();
    await end;
    expect(received).toMatch(/^HTTP\/1\.1 200 .*done$/s);
  });
});
