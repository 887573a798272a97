import { setImmediate as nextTick } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
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

describe('a flood of made-up credentials', () => {
  it('takes the turns of one caller, however many it makes up', async () => {
    const log = createLogger('test', { level: 'silent' });
    const fastify = createFastifyAdapter(log, new AbortController().signal).getInstance();
    const begun: string[] = [];
    fastify.get('/', {
      onRequest: async (request: FastifyRequest) => {
        const { authorization = '' } = request.headers;
        begun.push(authorization);
        if (authorization === 'Bearer good') request.caller = { kind: 'app', appId: 'app_1' };
      },
      handler: async () => 'root',
    });
    await fastify.ready();
    const get = async (token: string) =>
      fastify.inject({ url: '/', headers: { authorization: `Bearer ${token}` } });
    await get('good');
    await nextTick();
    const flood = Array.from({ length: 200 }, (_, n) => get(`made up ${n}`));
    const good = get('good');
    await Promise.all([...flood, good]);
    // One turn, and one behind what had begun by then.
    expect(begun.lastIndexOf('Bearer good')).toBeLessThan(20);
    await fastify.close();
  });
});
