import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Queue } from 'bullmq';
import { LOG } from '#nest';
import { createHttpApplication } from '#nest/program';
import { createLogger } from '#platform';
import { openRedis, type Redis } from '#redis';
import { RETRY_QUEUE, workerKeys } from '#worker-state';
import { eventually } from '../../../../../test/support/eventually.js';
import { type RunningRedis, startRedis } from '../../../../../test/support/redis.js';
import { CONFIG, LEDGER_IDENTITY, OPERATOR_TOKENS } from '../../tokens.js';
import { BoardGuard } from './board.guard.js';
import { QueueBoardController } from './queue-board.controller.js';
import { QueueBoard } from './queue-board.js';

const LAYOUT = 'layout';
const RETRY = {
  ...{ endpointId: 'whe_1', messageId: 'msg_1', member: '7 whe_1 payment-pay_1 2 0 msg_1' },
  ...{ firstFailedAtMs: 1, enabledAt: '2027-01-01T00:00:00.000Z', reason: 'timeout' },
};
const TOKEN = { authorization: 'Bearer all' };

class BoardOnly {}

let server: RunningRedis;
let redis: Redis;
let app: NestFastifyApplication;
let queue: Queue;

beforeAll(async () => {
  server = await startRedis();
  redis = openRedis(server.url, { maxRetriesPerRequest: null });
  queue = new Queue(RETRY_QUEUE, { connection: redis, prefix: workerKeys(LAYOUT, 1).prefix });
  // Fields that another release may have put there are shown to none.
  await queue.add('retry', { ...RETRY, body: 'a secret body' }, { jobId: 'job-1', delay: 60_000 });
  const log = createLogger('spec', { level: 'silent' });
  const operators: Readonly<Record<string, object>> = {
    all: { apps: ['*'], roles: ['viewer'] },
    one: { apps: ['a'], roles: ['admin'] },
  };
  const board = {
    module: BoardOnly,
    controllers: [QueueBoardController],
    providers: [
      ...[BoardGuard, QueueBoard],
      { provide: CONFIG, useValue: { redisUrl: server.url } },
      { provide: LEDGER_IDENTITY, useValue: { layoutId: LAYOUT, partitions: 2 } },
      { provide: LOG, useValue: log },
      { provide: OPERATOR_TOKENS, useValue: { verify: async (token: string) => operators[token] } },
    ],
  };
  app = await createHttpApplication(board, { log, stopping: new AbortController().signal });
  await app.init();
  await app.getHttpAdapter().getInstance().ready();
});
afterAll(async () => {
  await app.close();
  await queue.close();
  redis.disconnect();
  await server.stop();
});

type Method = 'GET' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
const ask = (path: string, headers: object = TOKEN, method: Method = 'GET') =>
  app.inject({ method, url: `/manage/queues${path}`, headers: { ...headers } });

/** All that Redis holds. */
async function dump(): Promise<Map<string, string>> {
  const keys = (await redis.keys('*')).sort();
  const read = async (key: string) => [key, await redis.dump(key)] as const;
  return new Map(await Promise.all(keys.map(read)));
}

/** How many are connected to Redis. */
async function countClients(): Promise<number> {
  const [, count] = /connected_clients:(\d+)/.exec(await redis.info('clients')) ?? [];
  return Number(count);
}

describe('the board of queues', () => {
  const before = new Map<string, string>();

  it.each(['', '/', '/api/queues', '/static/favicon-32x32.png', '/nothing'])(
    'is not there without a token: %s',
    async (path) => {
      for (const headers of [{}, { authorization: 'Bearer none' }]) {
        const answer = await ask(path, headers);
        expect(answer.statusCode).toBe(401);
        expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
      }
      expect((await ask(path, { authorization: 'Bearer one' })).statusCode).toBe(403);
    },
  );

  it('has no connection before it is looked at', async () => {
    const clients = await countClients();
    for (const [key, value] of await dump()) before.set(key, value);
    expect((await ask('')).statusCode).toBe(200);
    // The page does not wait for it.
    await eventually(async () => (await countClients()) === clients + 1);
  });

  it('is a page with files of its own, which runs no script but these', async () => {
    const page = await ask('');
    expect(page.headers['content-type']).toMatch(/^text\/html/);
    expect(page.headers['content-security-policy']).toMatch(
      /default-src 'none'; script-src 'self';.*frame-ancestors 'none'/,
    );
    expect(page.body).toContain('<base href="/manage/queues/"');
    const scripts = [...page.body.matchAll(/<script[^>]* src="([^"]+)"/g)].map(([, file]) => file);
    expect(scripts.length).toBeGreaterThan(0);
    for (const file of scripts) {
      const script = await ask(`/${file}`);
      expect(script.statusCode).toBe(200);
      expect(script.headers['content-type']).toMatch(/javascript/);
    }
    expect((await ask('/queue/1-webhooks?status=delayed')).headers['content-type']).toMatch(/html/);
  });

  it('shows the retries of each partition, and of them nothing but ids, times and the reason', async () => {
    const path = '/api/queues?activeQueue=1-webhooks&status=delayed&page=1&jobsPerPage=10';
    const { queues } = (await ask(path)).json<{ queues: Record<string, unknown>[] }>();
    const seen = queues.map(({ name, displayName, readOnlyMode }) => [
      name,
      displayName,
      readOnlyMode,
    ]);
    expect(seen).toEqual([
      ['0-webhooks', 'retries of partition 0', true],
      ['1-webhooks', 'retries of partition 1', true],
    ]);
    expect(queues[1]).toMatchObject({
      counts: { delayed: 1 },
      jobs: [{ id: 'job-1', data: RETRY }],
    });
    const job = await ask('/api/queues/1-webhooks/job-1');
    for (const { body } of [job, await ask(path)]) expect(body).not.toContain('secret');
    expect((await ask('/api/redis/stats')).statusCode).toBe(403);
  });

  it('changes nothing, by no method', async () => {
    const acts = [
      ...['/api/queues/1-webhooks/job-1/promote', '/api/queues/1-webhooks/job-1/clean'],
      ...['/api/queues/1-webhooks/pause', '/api/queues/1-webhooks/obliterate', '/api/queues/pause'],
      ...['/api/queues/1-webhooks/job-1/update-data', '/api/queues/1-webhooks/add', ''],
    ];
    for (const path of acts) {
      for (const method of ['PUT', 'POST', 'PATCH', 'DELETE'] as const) {
        expect([path, (await ask(path, TOKEN, method)).statusCode]).toEqual([path, 405]);
      }
      await ask(path);
    }
    expect(before.size).toBeGreaterThan(0);
    expect(await dump()).toEqual(before);
  });
});
