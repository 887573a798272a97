import { afterAll, beforeAll, expect, it } from 'vitest';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { deriveId } from '#domain/ids';
import { type RunningEventStore, startEventStore } from '#embedded-event-store';
import {
  type CommandExecutor,
  createCommandExecutor,
  type EventStore,
  Partitions,
} from '#event-store';
import { connectEventStore } from '#event-store/connect';
import { createSandboxGateway } from '#gateway';
import { listBooks } from '#gateway/apps';
import { type Log, metrics } from '#platform';
import { Fenced } from '#projection-engine';
import type { Redis } from '#redis';
import { workerKeys } from '#worker-state';
import {
  DailyReconciliation,
  ReconciliationRuns,
} from '../../../apps/worker/src/payments/daily-reconciliation.js';
import { connectRedis } from '../../../apps/worker/src/redis/connect.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';

/** The worker compares the gateway's books with the ledger by itself (rules/payments 16). */
const HOUR_MS = 3_600_000;
const BEGIN_MS = Date.parse('2027-01-31T10:00:00.000Z');
const { signal } = new AbortController();
const keys = workerKeys('layout', 0);
let dataDir: string;
let server: RunningEventStore;
let store: EventStore;
let commands: CommandExecutor;
let redisServer: RunningRedis;
let redis: Redis;
let named: unknown[] = [];

beforeAll(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'daily-'));
  server = await startEventStore({ port: 0, dataDir });
  redisServer = await startRedis();
  redis = connectRedis(redisServer.url);
  await redis.set('fence', '1');
  store = connectEventStore(server.connectionString);
  commands = createCommandExecutor(store);
});

afterAll(async () => {
  redis.disconnect();
  await store.dispose();
  await redisServer.stop();
  await server.stop();
  await rm(dataDir, { recursive: true });
});

const at = (hours: number) => new Date(BEGIN_MS + hours * HOUR_MS).toISOString();

/** The gateway charges a payment that the ledger does not know of. */
async function charge(name: string, hours: number, bucket = '3f'): Promise<string> {
  const key = deriveId('pay', at(hours), bucket, name);
  const reference = deriveId('sub', at(hours), bucket, name);
  const amount = { amountMinor: '999', currency: 'USD' };
  const about = { key, reference, paymentMethod: 'pm_ok', amount, offSession: false };
  await createSandboxGateway({ commands, clock: { now: () => at(hours) } }).charge(about);
  return key;
}

/** Looks as a worker does that has just begun, by its token, and gives the payments that it names. */
async function look(hours: number, token = '1'): Promise<unknown[]> {
  named = [];
  const log = {
    error: (details: { paymentId: string }) => named.push(details.paymentId),
    info: () => undefined,
  } as unknown as Log;
  const secrets = { open: () => '' };
  const books = (range: { after: string; signal: AbortSignal }) =>
    listBooks({ ...{ store, commands, secrets, stripeStandIn: undefined }, ...range });
  const lease = { partition: 0, fence: { key: 'fence', token }, lastsUntilMs: Infinity };
  const runs = new ReconciliationRuns(redis, keys, lease);
  const loop = new DailyReconciliation(
    ...([store, books, runs, new Partitions(2), lease, log] as const),
  );
  await loop.look(at(hours), signal);
  return named;
}

it('compares once a day what came since, also what was on its way, and of its own partition', async () => {
  await charge('before all', -60);
  expect(await look(0)).toEqual([]);
  const first = await charge('first', 1);
  await charge('of another partition', 1, 'ff');
  const late = await charge('late', 24.5);
  expect(await look(23.9)).toEqual([]);
  expect(await look(25)).toEqual([first]);
  expect(await look(26)).toEqual([]);
  expect((await look(50)).sort()).toEqual([first, late].sort());
  expect(await look(75)).toEqual([]);
  const figures = await metrics.metrics();
  expect(figures).toContain('subledger_reconciliation_differences{partition="0"} 0');
  expect(figures).toContain(
    `subledger_reconciliation_last_run_timestamp_seconds{partition="0"} ${Date.parse(at(75)) / 1000}`,
  );
});

it('compares the two days before, too, where Redis has lost when it was', async () => {
  await redisServer.command('FLUSHALL');
  await redis.set('fence', '1');
  const lost = await charge('before the loss', 76);
  expect(await look(100)).toEqual([]);
  expect(await look(125)).toEqual([lost]);
  expect(await look(150)).toEqual([]);
});

it('keeps nothing that a former holder has compared, and no beginning of its own', async () => {
  const before = await redis.get(keys.reconciled);
  await expect(look(175, '0')).rejects.toThrow(Fenced);
  expect(await redis.get(keys.reconciled)).toBe(before);
  await redis.del(keys.reconciled);
  await expect(look(175, '0')).rejects.toThrow(Fenced);
  expect(await redis.get(keys.reconciled)).toBeNull();
});
