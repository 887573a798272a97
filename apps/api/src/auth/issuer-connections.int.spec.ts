import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CreatedApp } from '#domain/app';
import { createLogger } from '#platform';
import { readApiConfig } from '../config.js';
import { IssuerConnections } from './issuer-connections.js';

/** How the keys of token issuers are asked for (rules/api 11): the allowed and forbidden answers of an address. */
const LIMIT_MS = 300;
const stop = new AbortController();
const connections = new IssuerConnections(
  readApiConfig({
    EVENTSTOREDB_URL: 'esdb://localhost:2113?tls=false',
    REDIS_URL: 'redis://localhost:6379',
    MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
    STOREFRONT_URL: 'http://localhost:3001',
    ALLOW_INSECURE_TARGETS: 'test-apps',
  }),
  createLogger('spec', { level: 'silent' }),
  stop.signal,
);
const SET = { keys: [{ kty: 'OKP', crv: 'Ed25519', x: 'public', kid: 'first' }] };
let server: Server;
let address: string;
let answer: (response: ServerResponse) => void;
let asked = 0;

beforeAll(async () => {
  server = createServer((_request, response) => {
    asked += 1;
    answer(response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  // A server that listens on TCP has an address with a port.
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/jwks.json`;
});
afterAll(async () => {
  await connections.onApplicationShutdown();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

describe('the keys of a token issuer', () => {
  it('are what its address answers', async () => {
    answer = (response) => response.end(JSON.stringify(SET));
    expect(await fetchKeys()).toEqual(SET);
  });

  it.each<[string, (response: ServerResponse) => void, RegExp]>([
    ['a redirect', (it) => it.writeHead(302, { location: address }).end(), /answered 302/],
    ['an error', (it) => it.writeHead(500).end(JSON.stringify(SET)), /answered 500/],
    ['nothing', () => undefined, /./],
    ['half of it', (it) => it.writeHead(200).write('{"keys":['), /./],
    ['no HTTP', (it) => it.socket?.end('nonsense\r\n\r\n'), /./],
    ['more than it may', (it) => it.end(`{"keys":[],"x":"${'x'.repeat(70_000)}"}`), /too much/],
    ['what never ends', endlessly, /too much/],
    ['no JSON', (it) => it.end('<html>secret</html>'), /^it is no JSON$/],
    ['another object', (it) => it.end('{"key":[]}'), /JWK Set/],
    ['a list', (it) => it.end('[]'), /JWK Set/],
  ])('are not had where it answers %s, and are asked for once', async (_, write, message) => {
    answer = write;
    const before = asked;
    await expect(fetchKeys()).rejects.toThrow(message);
    expect(asked - before).toBe(1);
  });

  it('are not asked for at an address that is for test apps, by another app', async () => {
    answer = (response) => response.end(JSON.stringify(SET));
    const before = asked;
    await expect(fetchKeys('production')).rejects.toThrow('scheme is not https');
    await expect(fetchKeys('test', 'https://10.0.0.1/jwks.json')).rejects.toThrow('not public');
    await expect(fetchKeys('test', 'http://example.com/jwks.json')).rejects.toThrow('http');
    expect(asked).toBe(before);
  });
});

function fetchKeys(environment: 'test' | 'production' = 'test', jwksUrl = address) {
  // No more of an app is looked at.
  const app = { appId: 'app_00000001', environment } as CreatedApp;
  const issuer = { issuer: 'https://id.example/', jwksUrl, audience: 'gold-rush' };
  return connections.fetchKeys(app, issuer, LIMIT_MS);
}

function endlessly(response: ServerResponse): void {
  const more = () => {
    if (!response.destroyed) response.write('x'.repeat(10_000), () => setImmediate(more));
  };
  more();
}
