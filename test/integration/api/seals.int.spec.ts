import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createSeal } from '#platform';
import {
  CompactRange,
  openCheckpoint,
  parseCheckpoint,
  parseNote,
  readSigningKey,
  verifyConsistency,
} from '#seal';
import { sealNow } from '#sealing';
import { createOperatorTokens, newOperatorToken } from '#tenancy';
import { SealedLedger } from '../sealing/support.js';
import { createUnconnectedApi, MASTER_KEY } from './unconnected-api.js';

/** The work of a request is bounded, however large the ledger is (rules/http 13). */
const MOST_READS = 40;
const SIZES = [300, 66_000];

let ledger: SealedLedger;
let open: NestFastifyApplication;
let closed: NestFastifyApplication;
let reads = 0;
const token = newOperatorToken({ roles: ['viewer'], apps: ['*'], issuedBy: 'test' }, 600);
const ofApp = newOperatorToken({ roles: ['admin'], apps: ['app_1'], issuedBy: 'test' }, 600);

beforeAll(async () => {
  ledger = await SealedLedger.start();
  const { names, verbatim } = ledger.store;
  const readStream: typeof verbatim.readStream = (...args) => {
    reads += 1;
    return verbatim.readStream(...args);
  };
  const store = { names, verbatim: { readStream } };
  const commands = { load: async () => ({ state: { live: [token, ofApp] } }) };
  ({ app: open } = await createUnconnectedApi({ env: { SEAL_PUBLIC: 'true' }, store }));
  ({ app: closed } = await createUnconnectedApi({ store, commands }));
});
afterAll(async () => {
  await Promise.all([open.close(), closed.close()]);
  await ledger.remove();
});

async function get(path: string, app = open, headers = {}) {
  reads = 0;
  const answer = await app.inject({ url: `/seal/${path}`, headers });
  expect(reads).toBeLessThanOrEqual(MOST_READS);
  return answer;
}

const findReason = ({ body }: { readonly body: string }) => /"reason":"(\w+)"/.exec(body)?.[1];

describe('a ledger of which nothing is sealed', () => {
  it.each(['checkpoint', 'consistency/1/1', 'tile/0/000.p/1'])('has no /seal/%s', async (path) => {
    const answer = await get(path);
    expect([answer.statusCode, findReason(answer)]).toEqual([404, 'NOTHING_SEALED']);
  });
});

describe('a sealed ledger', () => {
  const roots = new Map<number, Buffer>();
  beforeAll(async () => {
    let before = 0;
    for (const size of SIZES) {
      await ledger.add(size - before, `to${size}n`, 1_000);
      before = size;
      const sealed = await sealNow(ledger.sealing);
      const checkpoint = parseCheckpoint(parseNote(sealed?.checkpoint.note ?? '').text);
      roots.set(checkpoint.size, checkpoint.root);
    }
  });

  it('gives its last checkpoint as the note that it signed', async () => {
    const answer = await get('checkpoint');
    expect(answer.headers).toMatchObject({
      'content-type': 'text/plain; charset=utf-8',
      'cache-control': 'no-store, no-transform',
    });
    const [origin = ''] = answer.body.split('\n');
    const opened = openCheckpoint(answer.body, [readSigningKey(origin, ledger.key)]);
    expect(opened).toMatchObject({ size: 66_000, root: roots.get(66_000) });
  });

  it('proves that it grew from an earlier checkpoint', async () => {
    const answer = await get('consistency/300/66000');
    const { from, to, hashes } = answer.json<{ from: number; to: number; hashes: string[] }>();
    expect([from, to]).toEqual(SIZES);
    const proof = hashes.map((hash) => Buffer.from(hash, 'base64'));
    const [first, last] = SIZES.map((size) => ({ size, root: roots.get(size) ?? Buffer.alloc(0) }));
    expect(first && last && verifyConsistency(first, last, proof)).toBe(true);
    expect((await get('consistency/66000/66000')).json()).toMatchObject({ hashes: [] });
    expect((await get('consistency/1/65999')).statusCode).toBe(200);
    expect((await get('consistency/32767/65535')).statusCode).toBe(200);
  });

  it('gives tiles of hashes that make its root, which caches may keep for good', async () => {
    const read = async (path: string) => {
      const answer = await get(`tile/${path}`);
      expect(answer.headers).toMatchObject({
        'content-type': 'application/octet-stream',
        'cache-control': 'public, max-age=31536000, immutable',
      });
      return Buffer.from(answer.rawPayload);
    };
    const row = (bytes: Buffer) =>
      Array.from({ length: bytes.length / 32 }, (_, at) => bytes.subarray(at * 32, at * 32 + 32));
    const [full, partial] = [await read('0/256'), await read('0/257.p/208')];
    expect([full.length, partial.length]).toEqual([256 * 32, 208 * 32]);
    const [top, second] = [await read('2/000.p/1'), await read('1/001.p/1')];
    expect(CompactRange.of(row(await read('1/000'))).root()).toEqual(top);
    expect(CompactRange.of(row(full)).root()).toEqual(second);
    const range = new CompactRange(65_792, [top, second]);
    for (const hash of row(partial)) range.append(hash);
    expect(range.root()).toEqual(roots.get(66_000));
    // As a witness of an earlier size asks for it.
    expect(await read('0/001.p/44')).toEqual((await read('0/001')).subarray(0, 44 * 32));
  });

  it('has no tile and no size behind its last checkpoint', async () => {
    await ledger.add(100, 'unsealed');
    for (const path of [
      '0/257.p/209',
      '0/257',
      '0/258.p/1',
      '1/001.p/2',
      '2/000.p/2',
      '3/000.p/1',
    ]) {
      const answer = await get(`tile/${path}`);
      expect([path, answer.statusCode, findReason(answer)]).toEqual([
        path,
        404,
        'SEAL_TILE_NOT_FOUND',
      ]);
    }
    const answer = await get('consistency/1/66001');
    expect([answer.statusCode, findReason(answer)]).toEqual([404, 'SEAL_CHECKPOINT_NOT_FOUND']);
  });

  it.each([
    ...[
      'entries/000',
      '0/0',
      '0/1000',
      '0/x000/001',
      '7/000',
      '-1/000',
      '0/000.p/0',
      '0/000.p/257',
    ],
    ...['0/000.p/256', '00/000', '0/000.p/01', '0', 'x/y/z', '0/000.P/1'],
    ...['0/%30%30%30%00', '0/x001/x234', `0/${'x999/'.repeat(2_00)}999`, '__proto__'],
  ])('refuses the path of a tile %s', async (path) => {
    const answer = await get(`tile/${path}`);
    expect([400, 404]).toContain(answer.statusCode);
    if (answer.statusCode === 400 && findReason(answer) !== 'MALFORMED_ADDRESS') {
      expect(answer.body).toContain('"field":"path"');
    }
    expect(reads).toBe(0);
  });

  it.each([
    ['0/1', ['from']],
    ['1/0', ['to']],
    ['2/1', ['from']],
    ['01/2', ['from']],
    ['1.5/1e3', ['from', 'to']],
    ['-1/%2B2', ['from', 'to']],
    ['9007199254740992/9007199254740993', ['from', 'to']],
    ['constructor/__proto__', ['from', 'to']],
  ])('refuses the sizes %s and names the bad ones', async (sizes, fields) => {
    const answer = await get(`consistency/${sizes}`);
    expect(answer.statusCode).toBe(400);
    const named = [...answer.body.matchAll(/"field":"(\w+)"/g)].map(([, field]) => field);
    expect(named).toEqual(fields);
  });
});

describe('seals that are not public', () => {
  const PATHS = ['checkpoint', 'consistency/1/300', 'tile/0/000'];
  const bearer = async (issued: typeof token) => {
    const tokens = createOperatorTokens(
      createSeal(MASTER_KEY),
      async () => ({ live: [] }) as never,
    );
    return { authorization: `Bearer ${await tokens.sign(issued)}` };
  };

  it.each(PATHS)('are not given to everybody: %s', async (path) => {
    expect((await get(path, closed)).statusCode).toBe(401);
    const answer = await get(path, closed, await bearer(ofApp));
    expect([answer.statusCode, findReason(answer)]).toEqual([403, 'SCOPE_NOT_SUFFICIENT']);
    expect(reads).toBe(0);
  });

  it('are given to each operator for all apps, and to no shared cache', async () => {
    const headers = await bearer(token);
    for (const path of PATHS) expect((await get(path, closed, headers)).statusCode).toBe(200);
    const { 'cache-control': cached } = (await get('tile/0/000', closed, headers)).headers;
    expect(cached).toBe('private, max-age=31536000, immutable');
  });

  it('are given whatever credentials come, where they are public', async () => {
    const answer = await get('checkpoint', open, { authorization: 'Bearer nonsense' });
    expect(answer.statusCode).toBe(200);
  });
});
