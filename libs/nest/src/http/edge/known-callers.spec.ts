import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { FastifyRequest } from 'fastify';
import { createLogger } from '#platform';
import { KnownCallers } from './known-callers.js';
import { createFastifyAdapter } from './server.js';

type Headers = Readonly<Record<string, string>>;

const CREDENTIALS: [string, Headers][] = [
  ['an app that signs', { 'x-service-hmac-signature': 'v1;app_1;1700;bWFj' }],
  ['an API key', { 'x-service-api-key': 'key' }],
  ['a token', { authorization: 'Bearer x' }],
];

function ask(headers: Headers, remoteAddress = '::1', isGood = false): FastifyRequest {
  const caller = { kind: 'app', appId: 'app_1' };
  // These fields alone are looked at.
  return {
    headers,
    socket: { remoteAddress },
    ...(isGood && { caller }),
  } as unknown as FastifyRequest;
}

describe('a caller', () => {
  it.each(CREDENTIALS)('is an address until it is known, and then %s', (_what, headers) => {
    const callers = new KnownCallers();
    callers.note(ask(headers));
    expect(callers.name(ask(headers))).toBe('::1');
    callers.note(ask(headers, '::1', true));
    expect(callers.name(ask(headers))).not.toBe('::1');
    expect(callers.name(ask({}))).toBe('::1');
  });

  it('that signs is the same with every signature, and no other who names its app from elsewhere', () => {
    const callers = new KnownCallers();
    const sign = (mac: string) => ({ 'x-service-hmac-signature': `v1;app_1;1700;${mac}` });
    callers.note(ask(sign('bWFj'), '::1', true));
    expect(callers.name(ask(sign('b3Ro')))).toBe(callers.name(ask(sign('bWFj'))));
    expect(callers.name(ask(sign('bWFj'), '::2'))).toBe('::2');
  });
});

describe('credentials that are good', () => {
  const bearing = (more: Headers) => ask({ authorization: 'Bearer good', ...more }, '::1', true);

  it('are one caller, whatever is sent beside them and is not checked', () => {
    const callers = new KnownCallers();
    callers.note(bearing({}));
    const names = [
      bearing({ 'x-service-api-key': 'junk 1' }),
      bearing({ 'x-service-api-key': 'junk 2' }),
      ask({ authorization: 'bearer   good' }),
    ].map((request) => {
      callers.note(request);
      return callers.name(request);
    });
    expect(new Set(names)).toEqual(new Set([callers.name(bearing({}))]));
    expect(names[0]).not.toBe('::1');
  });

  it('of one kind are not those of another with the same text', () => {
    const callers = new KnownCallers();
    callers.note(ask({ 'x-service-hmac-signature': 'v1;app_1;1700;bWFj' }, '::1', true));
    const text = 'app_1 ::1';
    for (const headers of [{ 'x-service-api-key': text }, { authorization: text }]) {
      expect(callers.name(ask(headers, '::2'))).toBe('::2');
    }
  });

  it('that are longer than any are not remembered', () => {
    const callers = new KnownCallers();
    const long = ask({ 'x-service-api-key': 'x'.repeat(1_001) }, '::1', true);
    callers.note(long);
    expect(callers.name(long)).toBe('::1');
  });
});

describe('a flood of made-up credentials', () => {
  it('takes the turns of one caller, however many it makes up', async () => {
    const log = createLogger('test', { level: 'silent' });
    const fastify = createFastifyAdapter(log, new AbortController().signal).getInstance();
    const begun: string[] = [];
    fastify.get('/', {
      onRequest: async ({ headers: { authorization = '' } }: FastifyRequest) => {
        begun.push(authorization);
      },
      // As a guard of Nest does: it is called by the handler.
      handler: async (request: FastifyRequest) => {
        const { authorization } = request.headers;
        if (authorization === 'Bearer good') request.caller = { kind: 'app', appId: 'app_1' };
        return 'root';
      },
    });
    await fastify.ready();
    const get = async (token: string) =>
      fastify.inject({ url: '/', headers: { authorization: `Bearer ${token}` } });
    await get('good');
    await nextTick();
    const flood = Array.from({ length: 200 }, (_, n) => get(`made up ${n}`));
    const good = get('good');
    await Promise.all([...flood, good]);
    // One turn, and one behind those that had begun by then.
    expect(begun.lastIndexOf('Bearer good')).toBeLessThan(20);
    await fastify.close();
  });
});
