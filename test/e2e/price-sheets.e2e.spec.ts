import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import { beforeEach, describe, expect, it } from 'vitest';
import type { Answer } from '../support/api-client.js';
import { badFields, errorReason, refusal } from '../support/errors.js';
import { useLedger } from '../support/fixture.js';
import {
  conversion,
  CONVERT,
  knowPrices,
  putSheet,
  putTaxRates,
  sheet,
} from '../support/prices.js';
import { tokenIn } from '../support/scenario.js';

const ledger = useLedger();
const FIRST = sheet('gems,US,USD,9.99', 'gems,DE,EUR,9.49');
const SECOND = sheet('gems,US,USD,19.99', 'gems,DE,EUR,18.99', 'gems,FR,EUR,18.99');
let appId: string;

/** Each test has an app of its own. */
beforeEach(async () => {
  const app = { name: 'prices', environment: 'test' };
  appId = String((await ledger.allApps.post('/manage/apps', app)).body['appId']);
});

const put = (csv: string, headers: Readonly<Record<string, string>> = {}) =>
  putSheet(ledger.allApps, appId, csv, headers);
const get = (path: string) => ledger.allApps.get(`/manage/apps/${appId}/${path}`);
const versions = async () => (await get('price-sheet/versions')).body['versions'];
const activate = (version: number | string) =>
  ledger.allApps.post(`/manage/apps/${appId}/price-sheet/versions/${version}/activate`);
const versionIn = (answer: Answer) => answer.headers.get('x-price-sheet-version');

describe('price sheets', () => {
  it('become versions; what is in force already makes no new one', async () => {
    expect(refusal(await get('price-sheet'))).toEqual([404, 5, 'PRICE_SHEET_VERSION_NOT_FOUND']);
    const uploaded = await put(FIRST);
    expect(uploaded.body).toEqual({ version: 1, rowCount: 2, priceIdCount: 1 });
    expect(uploaded.headers.get('etag')).toBe('"1"');
    expect(uploaded.headers.get('x-consistency-token')).toMatch(/^c1\./);
    const reordered = sheet('gems,DE,EUR,9.49', 'gems,US,USD,9.99');
    expect((await put(reordered)).body).toMatchObject({ version: 1 });
    expect((await put(SECOND)).body).toMatchObject({ version: 2, rowCount: 3 });
    expect(await versions()).toMatchObject([
      { version: 2, current: true, rowCount: 3, uploadedBy: 'operator:test' },
      { version: 1, current: false, rowCount: 2 },
    ]);
  });

  it('come back as the CSV that their hash was made of', async () => {
    await put(FIRST);
    await put(SECOND);
    const [second, first] = (await versions()) as { contentHash: string }[];
    const current = await get('price-sheet');
    const old = await get('price-sheet/versions/1');
    expect(current.headers.get('content-type')).toBe('text/csv; charset=utf-8');
    expect([versionIn(current), versionIn(old)]).toEqual(['2', '1']);
    const hashes = [current, old].map(({ text }) =>
      createHash('sha256').update(text).digest('hex'),
    );
    expect(hashes).toEqual([second!.contentHash, first!.contentHash]);
    expect((await put(old.text)).body).toMatchObject({ version: 3, rowCount: 2 });
  });

  it('can be made current again, and are listed page by page', async () => {
    await put(FIRST);
    await put(SECOND);
    const activated = await activate(1);
    expect(activated.body).toEqual({ version: 1, rowCount: 2, priceIdCount: 1 });
    expect(versionIn(await get('price-sheet'))).toBe('1');
    const page = await get('price-sheet/versions?limit=1');
    expect(page.body['versions']).toMatchObject([{ version: 2, current: false }]);
    const next = String(page.body['nextPageToken']);
    const last = await get(`price-sheet/versions?limit=1&pageToken=${next}`);
    expect(last.body).toMatchObject({
      versions: [{ version: 1, current: true }],
      nextPageToken: '',
    });
    expect((last.body['versions'] as { activations: unknown[] }[])[0]!.activations).toHaveLength(2);
    for (const unknown of [3, 0, 'x']) {
      expect(refusal(await activate(unknown))).toEqual([404, 5, 'PRICE_SHEET_VERSION_NOT_FOUND']);
      expect(refusal(await get(`price-sheet/versions/${unknown}`))).toEqual([
        404,
        5,
        'PRICE_SHEET_VERSION_NOT_FOUND',
      ]);
    }
  });

  it('honour If-Match and Idempotency-Key', async () => {
    const key = { 'idempotency-key': 'upload-1' };
    await put(FIRST, key);
    expect(refusal(await put(SECOND, { 'if-match': '"7"' }))).toEqual([
      412,
      9,
      'REVISION_MISMATCH',
    ]);
    expect(refusal(await put(SECOND, key))).toEqual([409, 10, 'IDEMPOTENCY_KEY_REUSED']);
    expect((await put(SECOND, { 'if-match': '"1"' })).body).toMatchObject({ version: 2 });
    const replayed = await put(FIRST, key);
    expect(replayed.headers.get('idempotency-replayed')).toBe('true');
    expect(replayed.body).toEqual({ version: 1, rowCount: 2, priceIdCount: 1 });
    expect(versionIn(await get('price-sheet'))).toBe('2');
  });
});

describe('a bad price sheet changes nothing', () => {
  it.each<[string, string, string[]]>([
    ['several of them', sheet('a,DE,EUR,1', '', '"b,US', 'c,US,USD,x'), ['line 2', 'line 4']],
  ])('%s', async (_, csv, lines) => {
    await put(FIRST);
    const before = await versions();
    const refused = await put(csv);
    expect(refusal(refused)).toEqual([400, 3, 'INVALID_PRICE_SHEET']);
    expect(errorReason(refused)).toBe('INVALID_PRICE_SHEET');
    expect(badFields(refused)).toEqual(lines);
    expect(await versions()).toEqual(before);
  });

  it('that is no CSV, or too long', async () => {
    await put(FIRST);
    const before = await versions();
    expect(refusal(await put('{}', { 'content-type': 'application/json' }))).toEqual([
      415,
      3,
      'UNSUPPORTED_CONTENT_TYPE',
    ]);
    const path = `/manage/apps/${appId}/price-sheet`;
    const none = await ledger.allApps.send('PUT', path);
    expect(refusal(none)).toEqual([415, 3, 'UNSUPPORTED_CONTENT_TYPE']);
    expect(none.body['message']).toContain('text/csv or application/vnd.ms-excel');
    const excel = await put(FIRST, { 'content-type': 'application/vnd.ms-excel' });
    expect(excel.status).toBe(200);
    const tooLong = FIRST + 'x'.repeat(32 * 1024 * 1024);
    expect(refusal(await put(tooLong))).toEqual([413, 8, 'BODY_TOO_LARGE']);
    expect(await versions()).toEqual(before);
  });

  it('that breaks off in the middle', async () => {
    const { hostname, port } = new URL(ledger.standalone.baseUrl);
    const socket = connect(Number(port), hostname);
    const head = [
      `PUT /manage/apps/${appId}/price-sheet HTTP/1.1`,
      `host: ${hostname}`,
      `authorization: Bearer ${ledger.allAppsToken}`,
      'content-type: text/csv',
      `content-length: ${FIRST.length + 100}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n${FIRST}`);
    socket.resume();
    await once(socket, 'connect');
    socket.end();
    await once(socket, 'close');
    expect(await versions()).toEqual([]);
    expect((await put(FIRST)).body).toMatchObject({ version: 1 });
  });
});

describe('prices of the past', () => {
  const explain = async (query: string) => {
    const answer = await get(`price-sheet/explain?priceId=gems&country=DE&rounding=hg${query}`);
    return answer.body as { steps?: { amountMinor: string }[]; code?: number; at: string };
  };
  const amounts = ({ steps = [] }: Awaited<ReturnType<typeof explain>>) =>
    steps.map(({ amountMinor }) => amountMinor);

  it('are explained step by step, as they were', async () => {
    const before = await explain('');
    expect(before.code).toBe(9);
    await put(FIRST);
    const first = await explain('');
    expect(amounts(first)).toEqual(['999', '949', '949', '999', '999']);
    await putTaxRates(ledger.allApps, appId, {
      rates: [{ country: 'DE', rate: '0.19', inclusive: true }],
    });
    const taxed = await explain('');
    expect(amounts(taxed)).toEqual(['999', '949', '1129', '1099', '1099']);
    await put(SECOND);
    expect(amounts(await explain(''))).toEqual(['1999', '1899', '2260', '2299', '2299']);
    expect(amounts(await explain(`&at=${first.at}`))).toEqual(amounts(first));
    expect(await explain(`&at=${taxed.at}`)).toEqual(taxed);
    expect((await explain('&at=2020-01-01T00:00:00Z')).code).toBe(9);
  });

  it('that were never there are not found, and bad questions are named', async () => {
    await put(FIRST);
    const unknown = await get('price-sheet/explain?priceId=coin&country=DE');
    expect(refusal(unknown)).toEqual([404, 5, 'PRICE_NOT_FOUND']);
    expect(badFields(await get('price-sheet/explain?at=yesterday'))).toEqual([
      'at',
      'country',
      'priceId',
    ]);
    const bad = await get('price-sheet/explain?priceId=gems&country=de&rounding=up');
    expect(badFields(bad)).toEqual(['country', 'rounding']);
  });
});

describe('a new sheet under load', () => {
  it('takes the place of the old one between two answers, never within one', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `item_${index}`);
    const sheetAt = (price: number) =>
      sheet(...ids.flatMap((id) => [`${id},US,USD,${price}`, `${id},DE,EUR,${price}`]));
    const { demo } = ledger.standalone;
    await knowPrices(ledger.backend, await putSheet(ledger.allApps, demo.appId, sheetAt(1)));
    let isOver = false;
    const seen = new Set<string>();
    const ask = async () => {
      for (let asked = 0; !isOver; asked += 1) {
        // Other ids each time, so that not the same kept answer comes again.
        const priceIds = ids.slice(asked % 50);
        const answer = await ledger.backend.post(CONVERT, conversion({ priceIds }));
        expect(answer.status).toBe(200);
        const conversions = answer.body['conversions'] as { destinationAmount: number }[];
        expect(conversions).toHaveLength(priceIds.length);
        const prices = new Set(conversions.map((one) => one.destinationAmount));
        seen.add(`${versionIn(answer)} ${[...prices].join()}`);
      }
    };
    const load = Promise.all(Array.from({ length: 8 }, ask));
    for (let price = 2; price <= 12; price += 1) {
      const uploaded = await putSheet(ledger.allApps, demo.appId, sheetAt(price));
      const token = tokenIn(uploaded);
      const headers = { 'x-consistency-token': token };
      expect(versionIn(await ledger.backend.post(CONVERT, conversion(), headers))).toBe(
        String(price),
      );
    }
    isOver = true;
    await load;
    expect(seen.size).toBeGreaterThan(5);
    for (const pair of seen) expect(pair).toMatch(/^(\d+) \1(00)$/);
  });
});
