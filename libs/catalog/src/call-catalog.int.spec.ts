import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { EgressConnections } from '#egress';
import {
  catalogItem,
  type CatalogServer,
  startCatalogServer,
} from '../../../test/support/catalog-server.js';
import { startDnsServer } from '../../../test/support/dns-server.js';
import { eventually } from '../../../test/support/eventually.js';
import { freePort } from '../../../test/support/free-port.js';
import {
  type MisbehavingReceiver,
  startMisbehavingReceiver,
} from '../../../test/support/misbehaving-receiver.js';
import { createLookUp } from '../../egress/src/names.js';
import { callCatalog, type CatalogCall } from './call-catalog.js';
import { ANSWER_LIMIT_BYTES, CALL_LIMIT_MS } from './limits.js';

const LIMIT_MS = 300;
/** The time that a busy machine may take beyond it. */
const SLACK_MS = 1_500;
const KEY = 'needle-of-the-studio';

describe('a call of a catalog', () => {
  let backend: CatalogServer;
  let misbehaving: MisbehavingReceiver;
  let connections: EgressConnections;
  beforeAll(async () => {
    backend = await startCatalogServer();
    misbehaving = await startMisbehavingReceiver();
    connections = new EgressConnections();
  });
  const closing: (() => Promise<unknown>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));
  afterAll(async () => {
    await connections.close();
    await backend.close();
    await misbehaving.close();
  });

  const call = (baseUrl: string, playerId = 'player-1', more: Partial<CatalogCall> = {}) =>
    callCatalog({
      ...{ app: { appId: 'app_1' }, apiKey: KEY, connections, playerId, language: 'pt-BR' },
      settings: { baseUrl, path: '/', apiKeyHeader: 'X-Shop-Key', sealedApiKey: 'sealed' },
      rules: { allowInsecure: true },
      ...{ signal: new AbortController().signal, ...more },
    });
  const parse = async (...asked: Parameters<typeof call>) => (await call(...asked)).parsed;

  it('is a GET for the player in a language, with the key in the header that the studio named', async () => {
    backend.answerWith({ body: { rows: [{ header: 'Gems', items: [catalogItem('gems')] }] } });
    const settings = { baseUrl: `${backend.baseUrl}/v1/`, path: '/shop/catalog/' };
    const { parsed, answer } = await call('', 'a/b ?#%é😀', {
      settings: { ...settings, apiKeyHeader: 'X-Shop-Key', sealedApiKey: 'sealed' },
    });
    const rows = [{ header: 'Gems', items: [expect.objectContaining({ id: 'gems' })] }];
    expect(parsed).toEqual({ ok: true, catalog: { rows } });
    expect(answer?.status).toBe(200);
    const [first] = backend.asked;
    expect(first).toMatchObject({
      method: 'GET',
      url: '/v1/shop/catalog/a%2Fb%20%3F%23%25%C3%A9%F0%9F%98%80?lang=pt-BR',
      headers: { 'x-shop-key': KEY, accept: 'application/json', 'accept-encoding': 'identity' },
    });
    expect(first?.headers['content-length']).toBeUndefined();
  });

  it.each(['.', '..', ''])(
    'for the player %j is not made: it would be for another one',
    async (id) => {
      const before = backend.asked.length;
      expect(await parse(backend.baseUrl, id)).toMatchObject({ reason: 'unusable_player_id' });
      expect(backend.asked).toHaveLength(before);
    },
  );

  it.each([
    ['hangs', 'timeout'],
    ['drips-head', 'timeout'],
    ['drips-body', 'timeout'],
    ['closes-at-once', 'reset'],
    ['resets-in-body', 'reset'],
    ['ends-in-body', 'reset'],
    ['huge-head', 'invalid_answer'],
    ['no-http', 'invalid_answer'],
    ['endless-body', 'too_large'],
    ['endless-chunks', 'too_large'],
    ['garbage', 'not_json'],
    ['ok', 'not_json'],
    ['redirects', 'status'],
    ['fails', 'status'],
  ])('whose answer %s fails as %s, in time, and follows nothing', async (playerId, reason) => {
    const before = misbehaving.asked.length;
    const startedAt = performance.now();
    const limitMs = reason === 'timeout' ? LIMIT_MS : CALL_LIMIT_MS;
    const parsed = await parse(`http://127.0.0.1:${misbehaving.port}`, playerId, { limitMs });
    expect(parsed).toMatchObject({ ok: false, reason });
    expect(performance.now() - startedAt).toBeLessThan(limitMs + SLACK_MS);
    expect(misbehaving.asked.length).toBe(before + 1);
    expect(JSON.stringify(parsed)).not.toContain('SECRET');
  });

  it('whose answer has a mebibyte is read, and one byte more is too much', async () => {
    const json = JSON.stringify({ rows: [] });
    backend.answerWith({ body: json.padEnd(ANSWER_LIMIT_BYTES) });
    expect(await parse(backend.baseUrl, 'a')).toMatchObject({
      ok: true,
    });
    backend.answerWith({ body: json.padEnd(ANSWER_LIMIT_BYTES + 1) });
    expect(await parse(backend.baseUrl, 'a')).toMatchObject({
      ...{ reason: 'too_large', violations: [{ field: '$' }] },
    });
  });

  it.each([201, 204, 404, 503])(
    'that is answered with %s is none, whatever else came',
    async (status) => {
      backend.answerWith({ status, body: { rows: [] } });
      expect(await parse(backend.baseUrl)).toMatchObject({
        reason: 'status',
        violations: [{ field: '$', description: expect.stringContaining(String(status)) }],
      });
    },
  );

  it('goes nowhere that webhooks may not: loopback, private addresses, other ports', async () => {
    const strict = { rules: { allowInsecure: false } };
    const addresses = [
      backend.baseUrl,
      'https://10.0.0.1',
      'https://169.254.169.254',
      'https://[::1]',
    ];
    const before = backend.asked.length;
    for (const address of addresses) {
      expect(await parse(address, 'a', strict)).toMatchObject({ reason: 'forbidden_address' });
    }
    const rules = { allowInsecure: false, ports: [[443, 443]] as const };
    expect(await parse('https://a.example:8443', 'a', { rules })).toMatchObject({
      reason: 'forbidden_address',
    });
    expect(backend.asked).toHaveLength(before);
  });

  it('looks at the ports of its own address, and not at those of pictures', async () => {
    const image = 'https://cdn.game.example:8443/gems.png';
    backend.answerWith({ body: { rows: [{ items: [catalogItem('gems', { image })] }] } });
    const rules = { allowInsecure: true, ports: [[443, 443]] as const };
    expect(await parse(backend.baseUrl, 'a', { rules })).toMatchObject({ ok: true });
  });

  it('to a name that leads to this machine, at first or later, is refused before anything is sent', async () => {
    const answers = [['93.184.216.34'], ['127.0.0.1']];
    const dns = await startDnsServer(() => answers[dns.asked.length > 2 ? 1 : 0] ?? []);
    const looking = new EgressConnections({ lookUp: createLookUp([dns.address]) });
    closing.push(
      () => looking.close(),
      () => dns.close(),
    );
    const name = `https://rebinding.example:${misbehaving.port}`;
    const strict = { rules: { allowInsecure: false }, connections: looking };
    const before = misbehaving.countConnections();
    // The first time it leads to an address that does not answer here.
    await parse(name, 'ok', strict);
    expect(await parse(name, 'ok', strict)).toMatchObject({ reason: 'forbidden_address' });
    expect(misbehaving.countConnections()).toBe(before);
  });

  it('that nothing listens to is refused, and one that no server answers for times out', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    expect(await parse(nowhere)).toMatchObject({ reason: 'refused', violations: [] });
    const dns = await startDnsServer(() => null);
    const looking = new EgressConnections({ lookUp: createLookUp([dns.address]) });
    closing.push(
      () => looking.close(),
      () => dns.close(),
    );
    const hanging = parse('https://hangs.example', 'a', {
      connections: looking,
      limitMs: LIMIT_MS,
    });
    expect(await hanging).toMatchObject({ reason: 'timeout' });
  });

  it('is given up with the process', async () => {
    const stopping = new AbortController();
    const url = `http://127.0.0.1:${misbehaving.port}`;
    const before = misbehaving.asked.length;
    const calling = call(url, 'hangs', { signal: stopping.signal });
    await eventually(() => misbehaving.asked.length > before, { what: 'the call' });
    stopping.abort(new Error('it stops'));
    await expect(calling).rejects.toMatchObject({ code: 'unavailable', retryable: true });
  });
});
