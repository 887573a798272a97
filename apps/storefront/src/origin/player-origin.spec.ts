import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { FastifyInstance } from 'fastify';
import { createFastifyAdapter } from '#nest/program';
import { createLogger, parseTrustedProxies } from '#platform';
import { noteOrigins } from './player-origin.js';

const trustedProxies = parseTrustedProxies('10.0.0.0/8,2001:db8::/32');
let fastify: FastifyInstance;

beforeAll(async () => {
  const [log, stopping] = [createLogger('test', { level: 'silent' }), new AbortController().signal];
  const adapter = createFastifyAdapter(log, stopping, undefined, trustedProxies);
  fastify = adapter.getInstance();
  noteOrigins(fastify, { trustedProxies, countryHeader: 'x-country' });
  fastify.get('/', async (request) => request.origin);
  await fastify.ready();
});
afterAll(async () => fastify.close());

/** The origin that is noted for a request of this socket. */
async function readOriginFrom(
  remoteAddress: string,
  headers: Readonly<Record<string, string>> = {},
) {
  const answer = await fastify.inject({ url: '/', remoteAddress, headers });
  return answer.json<{ address: string; regionCode: string }>();
}
const forwarded = (chain: string) => ({ 'x-forwarded-for': chain });

/** rules/http 12 */
describe('the address of a player', () => {
  it('is that of the socket, whatever a stranger says', async () => {
    const headers = forwarded('198.51.100.1');
    expect((await readOriginFrom('203.0.113.9', headers)).address).toBe('203.0.113.9');
    expect((await readOriginFrom('::ffff:203.0.113.9', headers)).address).toBe('203.0.113.9');
    expect((await readOriginFrom('2001:db9::9', headers)).address).toBe('2001:db9::9');
  });

  it.each([
    ['203.0.113.9', '203.0.113.9'],
    ['2001:db9::9', '2001:db9::9'],
    // A player's forged addresses stand left of the one that the first proxy saw.
    ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
    ['10.0.0.1, 203.0.113.9', '203.0.113.9'],
    ['198.51.100.1, 203.0.113.9, 10.0.0.2, 2001:db8::7', '203.0.113.9'],
    ['<script>, 203.0.113.9', '203.0.113.9'],
    ['203.0.113.9:51234', '203.0.113.9'],
    ['[2001:db9::9]:51234', '2001:db9::9'],
    // Proxies all the way: the furthest one.
    ['10.0.0.3, 10.0.0.2', '10.0.0.3'],
  ])('is the nearest one of a stranger in the chain "%s"', async (chain, address) => {
    expect((await readOriginFrom('10.0.0.1', forwarded(chain))).address).toBe(address);
    expect((await readOriginFrom('::ffff:10.0.0.1', forwarded(chain))).address).toBe(address);
    expect((await readOriginFrom('2001:db8::1', forwarded(chain))).address).toBe(address);
  });

  it.each(['unknown', '_hidden', 'localhost', ''])(
    "is the proxy's own where it tells none: %s",
    async (chain) => {
      expect((await readOriginFrom('10.0.0.1', forwarded(chain))).address).toBe('10.0.0.1');
    },
  );
});

describe('the region of a player', () => {
  it.each([
    ['DE', 'DE'],
    ['US-CA', 'US-CA'],
    ['XX', ''],
    ['T1', ''],
    ['de', ''],
    ['DE, FR', ''],
    ['Germany', ''],
    ['', ''],
  ])('is what a trusted proxy says, where it is one: "%s"', async (told, regionCode) => {
    expect((await readOriginFrom('10.0.0.1', { 'x-country': told })).regionCode).toBe(regionCode);
  });

  it('is nothing that a stranger says, nor one behind whom a proxy stands', async () => {
    const headers = { ...forwarded('10.0.0.1'), 'x-country': 'DE' };
    expect((await readOriginFrom('203.0.113.9', headers)).regionCode).toBe('');
  });
});
