import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CatalogFailures } from '#catalog';
import { appAggregate } from '#domain/app';
import { createCommandExecutor, type LedgerStore } from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSeal, wallClock } from '#platform';
import { createAppSecrets } from '#tenancy';
import { type Answer, bearer } from '../support/api-client.js';
import { catalogItem, type CatalogServer, startCatalogServer } from '../support/catalog-server.js';
import { subledger } from '../cli/subledger.js';
import { badFields, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import { freePort } from '../support/free-port.js';
import { loadingPersonalData } from '../support/personal-data.js';
import { requireOk, seeing } from '../support/scenario.js';
import { readStoreUrl } from '../support/standalone.js';

/** An app's catalog is set, tried, and its failures are found (rules/catalog 1, 5 and 6). */
const ledger = useLedger();
const apiKey = 'needle-4713-of-the-studio';
let backend: CatalogServer;
let address: string;

beforeAll(async () => {
  backend = await startCatalogServer();
  address = `/manage/apps/${ledger.appId}`;
});
afterAll(() => backend.close());

const settings = (other: object = {}) => ({
  ...{ baseUrl: backend.baseUrl, path: '/shop/catalog', apiKeyHeader: 'X-Shop-Key', apiKey },
  ...other,
});
const set = (catalog: unknown, to = address): Promise<Answer> =>
  ledger.allApps.send('PATCH', to, { body: { catalog } });
const test = (body: object = { playerId: 'a/b', language: 'de' }): Promise<Answer> =>
  ledger.operator.post(`${address}/catalog/test`, body);

describe('the catalog of an app', () => {
  it('cannot be tried before it is set', async () => {
    expect(refusal(await test())).toEqual([400, 9, 'CATALOG_NOT_CONFIGURED']);
    expect((await ledger.operator.get(address)).body).not.toHaveProperty('catalog');
  });

  it('is set, shown without its key, and set again without a change', async () => {
    const first = requireOk(await set(settings()));
    const shown = { baseUrl: backend.baseUrl, path: '/shop/catalog', apiKeyHeader: 'X-Shop-Key' };
    expect(first.body['catalog']).toEqual(shown);
    const again = requireOk(await set(settings()));
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    const moved = requireOk(await set(settings({ path: '/moved' })));
    expect(moved.headers.get('etag')).not.toBe(first.headers.get('etag'));
    requireOk(await set(settings()));
    expect((await ledger.operator.get(address)).body['catalog']).toEqual(shown);
    const list = await ledger.operator.get('/manage/apps', seeing(moved));
    expect(JSON.stringify(list.body)).toContain('"apiKeyHeader":"X-Shop-Key"');
    for (const answer of [first, again, moved, list]) expect(answer.text).not.toContain('needle');
  });

  it.each<[string, unknown]>([
    ['baseUrl', 'ftp://api.game.example'],
    ['baseUrl', 'http://api.game.example'],
    ['baseUrl', 'https://user:secret@api.game.example'],
    ['baseUrl', 'https://10.0.0.1'],
    ['baseUrl', 'https://api.game.example?'],
    ['path', ''],
    ['path', '/catalog?for='],
    ['path', '/a/../catalog'],
    ['path', '//catalog'],
    ['apiKeyHeader', 'Host'],
    ['apiKeyHeader', 'x key'],
    ['apiKey', ''],
    ['apiKey', 'needle\r\nx-other: 1'],
    ['apiKey', 'nädle'],
    ['apiKey', null],
  ])('is not set with the %s %j, which is named and not repeated', async (field, value) => {
    const answer = await set(settings({ [field]: value }));
    expect([refusal(answer), badFields(answer)]).toEqual([
      [400, 3, 'INVALID_FIELDS'],
      [`catalog.${field}`],
    ]);
    expect(answer.text).not.toContain('needle');
  });

  it('is not taken away by null, is for its operators alone, and leads a production app nowhere near', async () => {
    expect(badFields(await set(null))).toEqual(['catalog']);
    const app = { name: 'Live', environment: 'production' };
    const live = requireOk(await ledger.allApps.post('/manage/apps', app)).body['appId'];
    const refused = await set(settings(), `/manage/apps/${String(live)}`);
    expect(badFields(refused)).toEqual(['catalog.baseUrl']);
    const stranger = bearer(ledger.standalone.baseUrl, 'no-token');
    expect((await stranger.get(`${address}/catalog/failures`)).status).toBe(401);
    const foreign = `/manage/apps/${String(live)}/catalog`;
    expect((await ledger.operator.get(`${foreign}/failures`)).status).toBe(404);
    expect((await ledger.operator.post(`${foreign}/test`, {})).status).toBe(404);
  });
});

describe('a test of the catalog', () => {
  it('shows what was sent, with the key masked, and what came', async () => {
    backend.answerWith({ body: { rows: [{ items: [catalogItem('gems')] }] } });
    const { body, text } = requireOk(await test());
    expect(body).toMatchObject({
      request: {
        url: `${backend.baseUrl}/shop/catalog/a%2Fb?lang=de`,
        headers: { accept: 'application/json', 'X-Shop-Key': '***' },
      },
      response: { status: 200, body: expect.stringContaining('"gems"') },
      ...{ violations: [], violationCount: 0 },
    });
    expect(body).not.toHaveProperty('error');
    expect(text).not.toContain('needle');
    expect(backend.asked.at(-1)?.headers['x-shop-key']).toBe(apiKey);
  });

  it('shows every violation with its path', async () => {
    const price = { currency: 'USD', amount: '9.999' };
    backend.answerWith({
      body: { rows: [{ items: [catalogItem('a'), catalogItem('b', { price, image: 'x' })] }] },
    });
    const { body } = requireOk(await test());
    const fields = (body['violations'] as { field: string }[]).map(({ field }) => field);
    const item = '$.rows[0].items[1]';
    expect(fields).toEqual([`${item}.image`, `${item}.price.amount`]);
    backend.answerWith({ status: 404, body: 'no such player' });
    const { body: missing } = requireOk(await test());
    expect(missing).toMatchObject({ response: { status: 404, body: 'no such player' } });
    expect(missing['violations']).toEqual([
      { field: '$', description: expect.stringContaining('404') },
    ]);
  });

  it('says why nothing came, and what can be asked for', async () => {
    requireOk(await set(settings({ baseUrl: `http://127.0.0.1:${await freePort()}` })));
    const { body } = requireOk(await test());
    expect(body).toMatchObject({ response: null, violations: [], error: { code: 'refused' } });
    requireOk(await set(settings()));
    for (const [bad, field] of [
      [{ playerId: '..', language: 'de' }, 'playerId'],
      [{ playerId: '', language: 'de' }, 'playerId'],
      [{ playerId: 'a', language: 'no language' }, 'language'],
    ] as const) {
      expect(badFields(await test(bad))).toEqual([field]);
    }
  });
});

describe('failures of the catalog', () => {
  const references = ['AAAA-0001', 'AAAA-0002', 'AAAA-0003'];
  let store: LedgerStore;
  beforeAll(async () => {
    const { dataDir } = ledger.standalone;
    const masterKey = await readFile(path.join(dataDir, 'master.key'), 'utf8');
    store = connectEventStore(await readStoreUrl(ledger.standalone));
    await recordFailures(Buffer.from(masterKey.trim(), 'base64'));
  });
  afterAll(() => store.dispose());

  /** As the pages do. */
  async function recordFailures(masterKey: Buffer): Promise<void> {
    const commands = createCommandExecutor(store);
    const seal = createSeal(masterKey);
    const personalData = loadingPersonalData(commands, seal);
    const secrets = createAppSecrets(seal);
    const failures = new CatalogFailures({ store, secrets, personalData, clock: wallClock });
    const { state } = await commands.load(appAggregate, ledger.appId);
    if (state.status === 'none') throw new Error('there is no app');
    const violations = [{ field: '$.rows', description: 'must be a list' }];
    const failure = { reason: 'invalid_catalog', violations, violationCount: 1 } as const;
    for (const reference of references) {
      const asked = { playerId: 'needle-player', language: 'de' };
      await failures.record(state, asked, { ok: false, ...failure }, reference);
    }
  }

  const list = async (query = '') =>
    requireOk(await ledger.operator.get(`${address}/catalog/failures?${query}`)).body;
  const found = (body: Readonly<Record<string, unknown>>) =>
    (body['failures'] as { reference: string }[]).map(({ reference }) => reference);

  it('are listed newest first, with the player and every violation', async () => {
    const body = await list();
    expect(found(body)).toEqual(references.toReversed());
    expect(body['nextPageToken']).toBe('');
    expect((body['failures'] as object[])[0]).toEqual({
      ...{ reference: 'AAAA-0003', playerId: 'needle-player', language: 'de' },
      at: expect.stringMatching(/^20.*Z$/),
      reason: 'invalid_catalog',
      ...{ violations: [{ field: '$.rows', description: 'must be a list' }], violationCount: 1 },
    });
  });

  it('come in pages, and one by its reference however it is written', async () => {
    const first = await list('limit=2');
    const token = encodeURIComponent(String(first['nextPageToken']));
    const second = await list(`limit=2&pageToken=${token}`);
    expect([found(first), found(second)]).toEqual([['AAAA-0003', 'AAAA-0002'], ['AAAA-0001']]);
    expect(second['nextPageToken']).toBe('');
    expect(found(await list('reference=aaaaooo2'))).toEqual(['AAAA-0002']);
    expect(found(await list('reference=AAAA-9999'))).toEqual([]);
    const other = await ledger.operator.get(`${address}/catalog/failures?pageToken=${token}0`);
    expect(badFields(other)).toEqual(['pageToken']);
  });

  it('lie in a stream that forgets them, and do not say who the player is', async () => {
    const args = ['streams', 'read', `catalog_failures-${ledger.appId}`, '--json'];
    const { stdout } = await subledger([...args, '--data-dir', ledger.standalone.dataDir], {});
    expect(stdout).toContain('catalog.call_failed.v1');
    expect(stdout).not.toContain('needle');
    const [metadata] = await store.verbatim.readStream(
      `$$sl.catalog_failures-${ledger.appId.slice(14, 16)}.${ledger.appId}`,
      { backwards: true, maxCount: 1 },
    );
    const text = Buffer.from(metadata?.data ?? []).toString();
    expect(JSON.parse(text)).toMatchObject({ $maxAge: 604_800, $maxCount: 2_000 });
  });
});

describe('subledger catalog', () => {
  const run = (...args: string[]) => {
    const { baseUrl, demo } = ledger.standalone;
    const env = { SUBLEDGER_URL: baseUrl, SUBLEDGER_TOKEN: demo.operatorToken };
    return subledger(['catalog', ...args], env);
  };

  it('tests the catalog, and ends with 1 where players cannot be shown it', async () => {
    backend.answerWith({ body: { rows: [] } });
    const good = await run('test', ledger.appId, '--player', 'ann', '--language', 'fr');
    expect([good.code, good.stdout]).toEqual([0, expect.stringContaining('/ann?lang=fr')]);
    expect(good.stdout).toContain('Players can be shown this catalog.');
    backend.answerWith({ body: { rows: 7 } });
    const bad = await run('test', ledger.appId, '--player', 'ann', '--json');
    const answer = JSON.parse(bad.stdout) as object;
    expect([bad.code, answer]).toMatchObject([1, { violations: [{ field: '$.rows' }] }]);
    expect(bad.stderr).toContain('CATALOG_UNUSABLE');
    const help = await run('test', '--help');
    expect([help.code, help.stdout]).toEqual([0, expect.stringContaining('--player <id>')]);
  });

  it('lists failures', async () => {
    const listed = await run('failures', ledger.appId, '--limit', '1');
    expect(listed.stdout).toMatch(/^AAAA-0003 {2}20\S+ {2}invalid_catalog {2}player needle-player/);
    expect(listed.stdout).toContain('  $.rows: must be a list\n');
    const one = await run('failures', ledger.appId, '--reference', 'aaaa0001', '--json');
    const { failures } = JSON.parse(one.stdout) as { failures: object[] };
    expect(failures).toEqual([expect.objectContaining({ reference: 'AAAA-0001' })]);
    const none = await run('failures', ledger.appId, '--reference', 'ZZZZ-0000');
    expect(none.stdout).toBe('No failures are known.\n');
  });
});
