import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DelayedError } from 'bullmq';
import { Redis } from 'ioredis';
import { createLogger, wallClock } from '#platform';
import { workerKeys } from '#worker-state';
import {
  type AfterAttempt,
  type MakeRetry,
  RetryWorker,
} from '../../../apps/worker/src/jobs/retry-worker.js';
import { putOff, type Retry, RetryQueue } from '../../../apps/worker/src/jobs/retry-queue.js';
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
  const retry: Retry = {
    ...{ endpointId: 'whe_1', messageId: 'msg_1', member: `${at(1)} whe_1 a-b 0 0 msg_1` },
    ...{ firstFailedAtMs: 0, reason: 'it answered 503' },
  };
  /** Has attempts end as is given, and notes how many had failed before each. */
  const makeAll = (...ends: AfterAttempt[]) => {
    const made: number[] = [];
    const make: MakeRetry = async (_, attempts) => {
      made.push(attempts);
      return ends[made.length - 1] ?? { kind: 'over' };
    };
    return { made, make };
  };

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

  it('are made when they are due, counted where they fail, and leave nothing', async () => {
    const failed = { kind: 'failed', reason: '500', delayMs: 5, enabledAt: 'monday' } as const;
    const { made, make } = makeAll(failed, { ...failed, delayMs: 0 }, { kind: 'over' });
    const worker = new RetryWorker(retries, wallClock, log);
    worker.start(make);
    await retries.add(retry, 50);
    await eventually(() => made.length === 3, { what: 'the attempts' });
    await worker.stop();
    expect(made).toEqual([1, 2, 3]);
    const states = ['completed', 'failed', 'active', 'delayed', 'wait'] as const;
    const counts = await retries.queue.getJobCounts(...states);
    expect(Object.values(counts)).toEqual(states.map(() => 0));
  });

  it('know how often they failed, and under which state of their endpoint, also in the next process', async () => {
    const failed = { kind: 'failed', reason: '500', enabledAt: 'monday' } as const;
    const { made, make } = makeAll({ ...failed, delayMs: 5 }, { ...failed, delayMs: 60_000 });
    const worker = new RetryWorker(retries, wallClock, log);
    worker.start(make);
    await retries.add(retry, 0);
    await eventually(async () => (await retries.readAll()).get(retry.member)?.attempts === 3);
    await worker.stop();
    expect(made).toEqual([1, 2]);
    const [left] = (await retries.readAll()).values();
    expect(left).toMatchObject({ attempts: 3, firstFailedAtMs: 0, enabledAt: 'monday' });
  });

  it('are put off without an attempt, and taken from no one who makes it', async () => {
    const { made, make } = makeAll({ kind: 'putOff', forMs: 1 }, { kind: 'putOff', forMs: 1 });
    const worker = new RetryWorker(retries, wallClock, log);
    let end: () => void = () => undefined;
    const isLong = new Promise<void>((resolve) => (end = resolve));
    worker.start(async (of, attempts) => {
      const after = await make(of, attempts);
      if (after.kind === 'over') await isLong;
      return after;
    });
    await retries.add(retry, 0);
    await eventually(() => made.length === 3, { what: 'the attempt' });
    expect(made).toEqual([1, 1, 1]);
    const job = (await retries.queue.getJob(retry.member))!;
    await expect(putOff(job, 'the token of another', 0, log)).rejects.toThrow(DelayedError);
    expect(await job.getState()).toBe('active');
    end();
    await worker.stop();
    expect(made).toHaveLength(3);
  });

  it('are left to the next process by one that stops', async () => {
    const { made, make } = makeAll();
    const worker = new RetryWorker(retries, wallClock, log);
    worker.start(make);
    await worker.stop();
    await retries.add(retry, 0);
    const next = new RetryWorker(retries, wallClock, log);
    next.start(make);
    await eventually(() => made.length === 1, { what: 'the attempt' });
    await next.stop();
    expect(made).toEqual([1]);
  });

  it('are added also when Redis failed the first command, as right after a restart', async () => {
    const failing = new Redis(server.url);
    await once(failing, 'ready');
    failing.info = () => Promise.reject(new Error('Command timed out'));
    const connections = { redis: failing, workers, partition: 0, prefix: keys.prefix };
    const begun = new RetryQueue(connections, log);
    await begun.add(retry, 0).finally(() => failing.disconnect());
    expect(await retries.queue.count()).toBe(1);
  });

  it.each([
    ['waiting', 0],
    ['delayed and overdue', 1],
  ])('get a new worker when the oldest is %s for too long', async (_, delayMs) => {
    const { made, make } = makeAll();
    const dead = new Redis({ port: 1, maxRetriesPerRequest: null });
    dead.on('error', () => undefined);
    const connections = { redis, workers: dead, partition: 0, prefix: keys.prefix };
    let laterMs = 0;
    const now = () => new Date(Date.now() + laterMs).toISOString();
    const worker = new RetryWorker(new RetryQueue(connections, log), { now }, log);
    worker.start(make);
    await retries.add(retry, delayMs);
    await worker.check();
    connections.workers = workers;
    laterMs = 60_000;
    await worker.check();
    await eventually(() => made.length === 1, { what: 'the attempt' });
    await worker.stop();
    dead.disconnect();
  });
});
