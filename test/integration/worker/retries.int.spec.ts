import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createLogger, wallClock } from '#platform';
import { RetryAlarm } from '../../../apps/worker/src/delivery/retry-alarm.js';
import { type Retry, RetryQueue } from '../../../apps/worker/src/delivery/retry-queue.js';
import { workerKeys } from '../../../apps/worker/src/redis/keys.js';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';

const at = (n: number) => String(n).padStart(20, '0');
const keys = workerKeys('store-1', 0);

describe('deliveries that wait for their next attempt', () => {
  const log = createLogger('test', { level: 'silent' });
  let server: RunningRedis;
  let redis: Redis;
  let workers: Redis;
  let retries: RetryQueue;
  const retry = (attempts: number, dueAtMs = 0): Retry => ({
    ...{ endpointId: 'whe_1', messageId: 'msg_1', member: `${at(1)} whe_1 a-b 0 0 msg_1` },
    ...{ attempts, firstFailedAtMs: 0, dueAtMs, isAside: false, reason: 'it answered 503' },
  });

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });

  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  beforeEach(async () => {
    await redis.flushall();
    workers = new Redis(server.url, { maxRetriesPerRequest: null });
    retries = new RetryQueue({ redis, workers, partition: 0, prefix: keys.prefix }, log);
  });

  afterEach(async () => {
    workers.disconnect();
    await retries.queue.close();
  });

  it('are woken when they are due, and leave nothing', async () => {
    const woken: Retry[] = [];
    const alarm = new RetryAlarm(retries, wallClock, log);
    alarm.start((each) => void woken.push(each));
    await retries.add(retry(1, 50), 0);
    await eventually(() => woken.length === 1, { what: 'the alarm' });
    await alarm.stop();
    await retries.add(retry(2), 0);
    expect(woken).toEqual([retry(1, 50)]);
    expect(await retries.queue.getJobCounts('completed', 'failed', 'active')).toEqual({
      ...{ completed: 0, failed: 0, active: 0 },
    });
  });

  it('are added also when Redis failed the first command, as right after a restart', async () => {
    const failing = new Redis(server.url);
    await once(failing, 'ready');
    failing.info = () => Promise.reject(new Error('Command timed out'));
    const connections = { redis: failing, workers, partition: 0, prefix: keys.prefix };
    const begun = new RetryQueue(connections, log);
    await begun.add(retry(1), 0).finally(() => failing.disconnect());
    expect(await retries.queue.count()).toBe(1);
  });

  it.each([
    ['waiting', 0],
    ['delayed and overdue', 1],
  ])('get a new worker when the oldest is %s for too long', async (_, dueAtMs) => {
    const woken: Retry[] = [];
    const dead = new Redis({ port: 1, maxRetriesPerRequest: null });
    dead.on('error', () => undefined);
    const connections = { redis, workers: dead, partition: 0, prefix: keys.prefix };
    let laterMs = 0;
    const now = () => new Date(Date.now() + laterMs).toISOString();
    const alarm = new RetryAlarm(new RetryQueue(connections, log), { now }, log);
    alarm.start((each) => void woken.push(each));
    await retries.add(retry(1, dueAtMs), 0);
    await alarm.check();
    connections.workers = workers;
    laterMs = 60_000;
    await alarm.check();
    await eventually(() => woken.length === 1, { what: 'the alarm' });
    await alarm.stop();
    dead.disconnect();
  });
});
