import { once } from 'node:events';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { signQuestion } from '#finance';
import { createLogger, createShutdown, type Shutdown } from '#platform';
import { startReportServer } from './report-server.js';

const KEY = Buffer.alloc(32, 7);
const PERIOD = 'period=2026-01&format=csv';
/** Plays the program that writes reports; the app says how. It leaves its process id in its folder's parent. */
const WRITER = `
const { writeFileSync } = require('node:fs');
let line = '';
process.stdin.on('end', () => process.exit(1)).on('data', (chunk) => {
  line += chunk;
  if (!line.endsWith('\\n')) return;
  const { app, question } = JSON.parse(line);
  writeFileSync(process.env.PLACE + '/' + process.pid, process.env.TMPDIR);
  if (app === 'refused') process.stdout.write('{"reason":"PERIOD_NOT_BEGUN","message":"No."}\\n');
  else if (app === 'away') return process.exit(3);
  else if (app === 'failing') return process.exit(1);
  else process.stdout.write('"begun"\\n' + question.report + ' ' + question.period);
  if (app === 'slow') return;
  process.stdout.write('', () => process.exit(app === 'broken' ? 1 : 0));
});
`;

let place: string;
let url: string;
let shutdown: Shutdown;

beforeEach(async () => {
  place = await mkdtemp(path.join(tmpdir(), 'report-server-'));
  const program = path.join(place, 'writer.cjs');
  await writeFile(program, WRITER.replaceAll('process.env.PLACE', JSON.stringify(place)));
  const log = createLogger('test', { level: 'fatal' });
  shutdown = createShutdown({ log });
  const port = await findPort();
  url = `http://127.0.0.1:${port}`;
  await startReportServer({
    ...{ port, host: '127.0.0.1', keys: () => [KEY] },
    program,
    log,
    shutdown,
  });
});
afterEach(async () => {
  await shutdown.stop('the test is over');
  await rm(place, { recursive: true });
});

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

function ask(app: string, { report = 'tax', query = PERIOD, key = KEY, signal = NEVER } = {}) {
  const at = `/report/${report}?app=${app}&${query}`;
  const authorization = signQuestion(key, at, Date.now());
  return fetch(`${url}${at}`, { headers: { authorization }, signal });
}

const NEVER = new AbortController().signal;

/** The processes that were begun, and live. */
async function listLiving(): Promise<number[]> {
  const names = (await readdir(place)).filter((name) => /^\d+$/.test(name)).map(Number);
  return names.filter((pid) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  });
}

const eventually = (check: () => Promise<void>) =>
  expect.poll(async () => check().then(() => 'so'), { timeout: 5_000 }).toBe('so');

describe('a bookkeeper, asked for a report', () => {
  it('gives the bytes of the process that writes it', async () => {
    const answer = await ask('app_1');
    expect([answer.status, await answer.text()]).toEqual([200, 'tax 2026-01']);
    await eventually(async () => expect(await listLiving()).toEqual([]));
  });

  it('refuses questions that are not signed with its key, and reports that it has not', async () => {
    expect((await ask('app_1', { key: Buffer.alloc(32) })).status).toBe(401);
    expect((await fetch(`${url}/report/tax?app=app_1&${PERIOD}`)).status).toBe(401);
    expect((await ask('app_1', { report: 'none' })).status).toBe(404);
    expect((await ask('app_1', { query: 'period=2026-13' })).status).toBe(404);
    expect((await ask('app_1', { query: 'period=2026-01&format=table' })).status).toBe(404);
    expect((await ask('')).status).toBe(404);
    expect(await listLiving()).toEqual([]);
  });

  it('says why there is none, and whether asking again may help', async () => {
    const refused = await ask('refused');
    expect([refused.status, await refused.json()]).toEqual([
      ...[409, { reason: 'PERIOD_NOT_BEGUN', message: 'No.' }],
    ]);
    expect((await ask('away')).status).toBe(503);
    expect((await ask('failing')).status).toBe(500);
  });

  it('breaks an answer off where its process fails, so that no part is taken for the whole', async () => {
    const broken = await ask('broken');
    expect(broken.status).toBe(200);
    await expect(broken.text()).rejects.toThrow('terminated');
  });

  it('ends the work when the caller hangs up, with all of its files', async () => {
    const caller = new AbortController();
    const answer = await ask('slow', { signal: caller.signal });
    expect(answer.status).toBe(200);
    const [pid = 0] = await listLiving();
    expect(pid).toBeGreaterThan(0);
    caller.abort();
    await eventually(async () => expect(await listLiving()).toEqual([]));
    await expect.poll(() => ask('slow').then(({ status }) => status)).toBe(200);
  });

  it('has the share of a report again as soon as the caller knows its end', async () => {
    const both = async () => {
      const answers = await Promise.all([ask('app_1'), ask('app_1')]);
      for (const answer of answers) await answer.text();
      return answers.map(({ status }) => status);
    };
    for (let n = 0; n < 10; n += 1) expect(await both()).toEqual([200, 200]);
  });

  it('writes two reports of an app at once, and none of a third', async () => {
    const both = await Promise.all([ask('slow'), ask('slow')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect((await ask('slow')).status).toBe(429);
    expect((await ask('app_1')).status).toBe(200);
    await shutdown.stop('the test is over');
    await eventually(async () => expect(await listLiving()).toEqual([]));
  });
});
