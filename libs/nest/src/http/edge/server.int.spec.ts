import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { createLogger } from '#platform';
import { answerError } from './error.filter.js';
import { createFastifyAdapter } from './server.js';

/** The real ones are 15 s, 2 minutes and 30 s. */
const LIMITS = { requestMs: 200, uploadMs: 800, stalledAnswerMs: 200 };
const log = createLogger('test', { level: 'silent' });
let fastify: FastifyInstance;
let port: number;

beforeAll(async () => {
  const adapter = createFastifyAdapter(log, new AbortController().signal, LIMITS);
  fastify = adapter.getInstance();
  fastify.setErrorHandler((error, request, reply) => answerError(error, request, reply, log));
  fastify.get('/', async () => 'root');
  fastify.get('/later', async () => pause(50).then(() => 'later'));
  fastify.get('/large', async () => Buffer.alloc(32 * 1024 * 1024));
  fastify.post('/json', async () => 'taken');
  const config = { takes: 'sheet' } as const;
  fastify.put('/file', { config, onRequest: admit }, async ({ body }) => countBytes(body));
  fastify.put('/unknown/file', { config }, async ({ body }) => countBytes(body));
  fastify.post('/refused', { onRequest: () => Promise.reject(new Error('no')) }, async () => '');
  await fastify.listen({ port: 0, host: '127.0.0.1' });
  // A server that listens on TCP has an address with a port.
  ({ port } = fastify.server.address() as { port: number });
});

afterAll(async () => fastify.close());

/** As admission does with good credentials. */
async function admit(request: FastifyRequest): Promise<void> {
  request.caller = { kind: 'app', appId: 'app_x' };
}

async function countBytes(body: unknown): Promise<string> {
  let length = 0;
  for await (const bytes of body as Readable) length += (bytes as Buffer).length;
  return String(length);
}

interface Exchange {
  readonly answer: string;
  readonly tookMs: number;
}

/** Sends a text, and then a byte now and then. @returns the whole answer, once the connection is cut off. */
async function exchange(text: string, dribbled = '', everyMs = 20): Promise<Exchange> {
  const startedAt = performance.now();
  const socket = connect(port, '127.0.0.1');
  let answer = '';
  socket.on('data', (bytes) => (answer += bytes.toString('latin1'))).on('error', () => undefined);
  // Not `once` of node:events, which fails at a connection that is reset.
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(text);
  for (const character of dribbled) {
    if (socket.destroyed || socket.readableEnded) break;
    await Promise.race([pause(everyMs), closed]);
    socket.write(character);
  }
  await closed;
  return { answer, tookMs: performance.now() - startedAt };
}

const head = (line: string, ...headers: string[]) =>
  [`${line} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n');
const JSON_OF = (length: number) => [`content-length: ${length}`, 'content-type: application/json'];
const FILE_OF = (length: number) => [`content-length: ${length}`, 'content-type: text/csv'];
const CHUNKED = ['transfer-encoding: chunked', 'content-type: application/json'];

describe('what Node would refuse without a word', () => {
  it.each([
    ['no HTTP', 'GARBAGE\r\n\r\n', 400, 3],
    ['no Host header', 'GET / HTTP/1.1\r\n\r\n', 400, 3],
    ['no Host header, and a body', 'POST /json HTTP/1.1\r\ncontent-length: 2\r\n\r\n{}', 400, 3],
    ['an expectation', head('GET /', 'expect: the-unexpected', 'connection: close'), 417, 3],
    ['a tunnel', 'CONNECT example.com:443 HTTP/1.1\r\nhost: example.com\r\n\r\n', 405, 12],
    ['large headers', head('GET /', `x: ${'x'.repeat(20_000)}`), 431, 3],
    ['an unknown method', 'BREW / HTTP/1.1\r\nhost: x\r\n\r\n', 400, 3],
    ['another version', 'GET / HTTP/9.9\r\nhost: x\r\n\r\n', 400, 3],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 3],
    ['two lengths', head('POST /json', 'content-length: 2', 'content-length: 3'), 400, 3],
    [
      'length and chunks',
      head('POST /json', 'content-length: 2', 'transfer-encoding: chunked'),
      400,
      3,
    ],
    ['a length that is none', head('POST /json', 'content-length: two'), 400, 3],
    ['a chunk that is none', `${head('POST /json', ...CHUNKED)}zz\r\n`, 400, 3],
    ['a broken header', head('GET /', 'no colon'), 400, 3],
    ['a header with a null byte', head('GET /', 'x: \0'), 400, 3],
    ['a space in the name of a header', head('GET /', 'a b: c'), 400, 3],
    ['two Host headers', head('GET /', 'Host: y'), 400, 3],
    ['a space in a path', head('GET /a b'), 400, 3],
    ['a null byte in a path', head('GET /a\0b'), 400, 3],
    ['no path', head('GET '), 400, 3],
    ['TLS', '\x16\x03\x01\x02\0\x01\0\x01\xfc\x03\x03', 400, 3],
    ['too many headers', head('GET /', ...Array.from({ length: 20_000 }, () => 'a: b')), 431, 3],
  ])('is refused in the form of every refusal: %s', async (_, text, status, code) => {
    const { answer } = await exchange(text);
    const [heading = '', body = ''] = answer.split('\r\n\r\n');
    expect(heading).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
    expect(heading.toLowerCase()).toMatch(/\r\nx-request-id: [\w-]{36}(\r\n|$)/);
    expect(heading.toLowerCase()).toMatch(/\r\nconnection: close(\r\n|$)/);
    expect(heading.toLowerCase()).toContain('content-type: application/json');
    expect(JSON.parse(body)).toMatchObject({ code, details: [{ domain: 'subledger' }] });
  });

  it('is refused behind the answers to the requests before it', async () => {
    const { answer } = await exchange(`${head('GET /later')}${head('GET /')}GARBAGE\r\n\r\n`);
    expect(answer).toMatch(/^HTTP\/1\.1 200 .*later.*HTTP\/1\.1 200 .*root.*HTTP\/1\.1 400 /s);
    const cut = `${head('GET /later')}${head('POST /json', ...CHUNKED)}zz\r\n`;
    expect((await exchange(cut)).answer).toMatch(/^HTTP\/1\.1 200 .*later.*HTTP\/1\.1 400 /s);
  });

  it('is refused without a body where it is a HEAD', async () => {
    const { answer } = await exchange(head('HEAD /a b'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 .*\r\n\r\n$/s);
  });

  it('is no HTTP/1.0 without Host, and no client that waits for leave to go on', async () => {
    const old = await exchange('GET / HTTP/1.0\r\n\r\n');
    expect(old.answer).toMatch(/^HTTP\/1\.1 200 .*root$/s);
    const waits = head('POST /json', ...JSON_OF(2), 'expect: 100-continue', 'connection: close');
    expect((await exchange(waits, '{}')).answer).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 .*taken$/s,
    );
    const refused = await exchange(waits.replace('/json', '/refused'));
    expect(refused.answer).toMatch(/^HTTP\/1\.1 500 /);
  });
});

describe('a client that is slow', () => {
  const isAbout = (tookMs: number, limitMs: number) => {
    expect(tookMs).toBeGreaterThanOrEqual(limitMs - 50);
    // Node looks at heads once in this time; the rest is for a machine that has much to do.
    expect(tookMs).toBeLessThan(limitMs + LIMITS.requestMs + 5000);
  };
  const isRefused = (answer: string) =>
    expect(answer).toMatch(
      /^HTTP\/1\.1 408 .*x-request-id: [\w-]{36}\r\n.*"code":3.*"REQUEST_TOO_SLOW"/is,
    );

  it.each([
    ['the head', 'GET / HTTP/1.1\r\n', 'x'.repeat(1000)],
    ['nothing at all', '', ''],
    ['a body', head('POST /json', ...JSON_OF(1000)), ' '.repeat(1000)],
    ['chunks', head('POST /json', ...CHUNKED), '1\r\n \r\n'],
  ])('to send %s is refused when its time is over', async (_, text, dribbled) => {
    const { answer, tookMs } = await exchange(text, dribbled);
    isRefused(answer);
    isAbout(tookMs, LIMITS.requestMs);
  });

  it('to send a file has more time, and not for ever', async () => {
    const put = head('PUT /file', ...FILE_OF(20), 'connection: close');
    const whole = await exchange(put, 'x'.repeat(20));
    expect(whole.answer).toMatch(/^HTTP\/1\.1 200 .*20$/s);
    expect(whole.tookMs).toBeGreaterThan(LIMITS.requestMs);
    const { answer, tookMs } = await exchange(put, 'x'.repeat(19));
    isRefused(answer);
    isAbout(tookMs, LIMITS.uploadMs);
  });

  it('to send a file has no more time than others while it is unknown who it is', async () => {
    const put = head('PUT /unknown/file', ...FILE_OF(20), 'connection: close');
    isRefused((await exchange(put, 'x'.repeat(20))).answer);
  });

  it('to send what was refused already loses its connection', async () => {
    const post = head('POST /refused', ...JSON_OF(1000));
    const { answer, tookMs } = await exchange(post, ' '.repeat(1000));
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 500']);
    isAbout(tookMs, LIMITS.requestMs);
  });

  it('to take its answer loses its connection', async () => {
    const startedAt = performance.now();
    const socket: Socket = connect(port, '127.0.0.1');
    socket.on('error', () => undefined).pause();
    const [connected] = await Promise.all([
      once(fastify.server, 'connection') as Promise<[Socket]>,
      once(socket, 'connect'),
    ]);
    const lost = once(connected[0], 'close');
    socket.write(head('GET /large'));
    await lost;
    isAbout(performance.now() - startedAt, LIMITS.stalledAnswerMs);
    socket.destroy();
  });
});
