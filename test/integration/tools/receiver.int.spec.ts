import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { webhookHeaders } from '#webhooks';
import { eventually } from '../../support/eventually.js';

const SECRET = Buffer.alloc(32, 7).toString('base64');

/** An API that knows one call: the creation of an endpoint, whose address it keeps. */
const registered: string[] = [];
let api: Server;
const dataDir = mkdtempSync(path.join(tmpdir(), 'subledger-receiver-'));

beforeAll(async () => {
  api = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      if (request.method === 'POST') registered.push((JSON.parse(body) as { url: string }).url);
      response.end(JSON.stringify({ id: 'whe_1', secret: `whsec_${SECRET}` }));
    });
  });
  await new Promise<void>((resolve) => api.listen(0, '127.0.0.1', resolve));
  // A server that listens on TCP has an address of this shape.
  const { port } = api.address() as AddressInfo;
  const demo = { baseUrl: `http://127.0.0.1:${port}`, appId: 'app_1', operatorToken: 'token' };
  writeFileSync(path.join(dataDir, 'demo.json'), JSON.stringify(demo));
});
afterAll(async () => {
  rmSync(dataDir, { recursive: true });
  api.closeAllConnections();
  await new Promise((resolve) => api.close(resolve));
});

interface Running {
  readonly child: ChildProcess;
  readonly url: string;
  output(): string;
  stop(): Promise<string[]>;
}

/** `npm run receiver`, registered and listening. */
async function startReceiver(...args: string[]): Promise<Running> {
  const before = registered.length;
  const env = { ...process.env, DATA_DIR: dataDir, npm_package_name: '' };
  const child = spawn(process.execPath, ['tools/merchant.mjs', '--webhooks', ...args], { env });
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const ended = new Promise((resolve) => child.once('close', resolve));
  await eventually(() => registered.length > before, { what: 'the endpoint' });
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
    return text.trim().split('\n');
  };
  return { child, url: registered.at(-1) ?? '', output: () => text, stop };
}

/** A delivery as the worker makes it; of a test, the number is 0. */
async function play(url: string, messageId: string, sequence: number, data: object): Promise<void> {
  const body = JSON.stringify({ type: 'payment.succeeded', data });
  const timestampSeconds = Math.floor(Date.now() / 1000);
  const attempt = { messageId, sequence, retryCount: 0, timestampSeconds, body };
  const headers = webhookHeaders({ ...attempt, secrets: [SECRET] });
  await eventually(
    async () => (await fetch(url, { method: 'POST', headers, body })).status === 204,
    { what: 'the answer' },
  );
}

/** Two subjects, a test and a v1 message; of the first subject #4 comes late, #5 twice, and #7 never. */
async function playAll(url: string): Promise<void> {
  const first = { id: 'pay_1', subscription_id: 'sub_1', total: '9.99' };
  const second = { id: 'pay_2', total: '1.00' };
  for (const [id, sequence, data] of [
    ...([['msg_3', 3, first] as const, ['msg_a', 1, second] as const] as const),
    ...([['msg_5', 5, first] as const, ['msg_4', 4, first] as const] as const),
    ...([['msg_5', 5, first] as const, ['msg_6', 6, first] as const] as const),
    ...([['msg_8', 8, first] as const, ['msg_t', 0, first] as const] as const),
    ['msg_b', 2, second] as const,
  ]) {
    await play(url, id, sequence, data);
  }
}

describe('npm run receiver', () => {
  it('says what is missing, what is late and what came again', async () => {
    const receiver = await startReceiver();
    await playAll(receiver.url);
    const lines = await receiver.stop();
    const notes = lines.flatMap(
      (line) => / {2}(#\d+) .*\((.*)\)$/.exec(line)?.slice(1).join(' ') ?? [],
    );
    expect(notes).toEqual([
      ...['#3 signature ok', '#1 signature ok', '#5 signature ok, GAP: #4 missing'],
      ...['#4 signature ok, late', '#5 signature ok, seen before', '#6 signature ok'],
      ...['#8 signature ok, GAP: #7 missing', '#0 signature ok', '#2 signature ok'],
    ]);
    expect(lines.slice(-2)).toEqual([
      '9 webhooks of 2 subjects: 1 missing, 1 late, 1 seen before:',
      '  sub_1, up to #8: #7 missing, 1 late, 1 seen before',
    ]);
  });

  it('says the same as JSON', async () => {
    const receiver = await startReceiver('--json');
    await playAll(receiver.url);
    const lines = (await receiver.stop()).map(
      (line) => JSON.parse(line) as Record<string, unknown>,
    );
    expect(lines.slice(0, -1).map(({ order }) => order)).toEqual([
      ...['in_order', 'in_order', 'gap', 'late', 'duplicate', 'in_order', 'gap', 'unnumbered'],
      'in_order',
    ]);
    expect(lines[2]).toMatchObject({ subject: 'sub_1', missing: [4], isRepeated: false });
    expect(lines.at(-1)).toEqual({
      summary: {
        ...{ webhooks: 9, subjects: 2, missing: 1, late: 1, duplicates: 1 },
        odd: [{ subject: 'sub_1', highest: 8, missing: [7], late: 1, duplicates: 1 }],
      },
    });
  });

  it('counts nothing of what is not ours', async () => {
    const receiver = await startReceiver();
    const forged = await fetch(receiver.url, {
      method: 'POST',
      body: '{"type":"payment.succeeded"}',
    });
    expect(forged.status).toBe(401);
    const lines = await receiver.stop();
    expect(lines.at(-2)).toContain('WRONG SIGNATURE');
    expect(lines.at(-1)).toBe('0 webhooks of 0 subjects: 0 missing, 0 late, 0 seen before.');
  });
});
