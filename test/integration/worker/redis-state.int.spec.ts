import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { createLogger } from '#platform';
import { JobRunner } from '../../../apps/worker/src/jobs/job-runner.js';
import { Checkpoint } from '../../../apps/worker/src/feed/checkpoint.js';
import { presentMark } from '../../../apps/worker/src/feed/delivery-checkpoint.js';
import { keysOf } from '../../../apps/worker/src/redis/keys.js';
import { Lines } from '../../../apps/worker/src/delivery/subject-queue.js';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';

const at = (n: number) => String(n).padStart(20, '0');
const keys = keysOf('store-1');

describe('what the worker keeps in Redis', () => {
  let server: RunningRedis;
  let redis: Redis;

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });

  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  beforeEach(() => redis.flushall());

  describe('the checkpoint', () => {
    it('is begun once, by whoever comes first', async () => {
      const [first, second] = [new Checkpoint(redis, keys), new Checkpoint(redis, keys)];
      expect(await first.load()).toBeUndefined();
      expect(await first.begin(at(7))).toBe(at(7));
      expect(await second.begin(at(3))).toBe(at(7));
    });

    it('goes on from the very beginning, and never back', async () => {
      const [first, second] = [new Checkpoint(redis, keys), new Checkpoint(redis, keys)];
      await first.begin('');
      await second.load();
      await first.advance(at(9));
      await second.advance(at(5));
      expect(await first.load()).toBe(at(9));
      expect(await second.isKept()).toBe(true);
    });

    it('tells that Redis was emptied', async () => {
      const checkpoint = new Checkpoint(redis, keys);
      await checkpoint.begin(at(1));
      await redis.flushall();
      expect(await checkpoint.isKept()).toBe(false);
      await expect(checkpoint.advance(at(2))).rejects.toMatchObject({ code: 'conflict' });
    });

    it('tells that Redis was emptied and another worker has begun anew', async () => {
      const checkpoint = new Checkpoint(redis, keys);
      await checkpoint.begin(at(5));
      await redis.flushall();
      await new Checkpoint(redis, keys).begin(at(5));
      await expect(checkpoint.advance(at(6))).rejects.toMatchObject({ code: 'conflict' });
      expect(await redis.hget(keys.checkpoint, 'position')).toBe(at(5));
    });

    it('tells that Redis has lost its last moments', async () => {
      const checkpoint = new Checkpoint(redis, keys);
      await checkpoint.begin(at(5));
      await checkpoint.advance(at(8));
      await redis.hset(keys.checkpoint, 'position', at(6));
      expect(await checkpoint.isKept()).toBe(false);
      await expect(checkpoint.advance(at(9))).rejects.toMatchObject({ code: 'conflict' });
    });
  });

  describe('the lines', () => {
    const place = (sequence: number) => ({
      jobId: `whe_1-msg_${sequence}`,
      data: {
        endpointId: 'whe_1',
        subject: 'sub_1',
        sequence,
        unsettled: `${at(sequence)} whe_1 subscription-sub_1 ${sequence}`,
      },
    });
    const jobKey = (sequence: number) => `${keys.prefix}:webhooks:whe_1-msg_${sequence}`;

    it('let one go after the other', async () => {
      const lines = new Lines(redis, keys);
      for (const n of [1, 2, 3]) expect(await lines.join(place(n), jobKey(n))).toBe(true);
      expect(await lines.turnOf(place(1))).toBe('go');
      expect(await lines.turnOf(place(2))).toBe('wait');
      expect(await lines.settle(place(1))).toBe(place(2).jobId);
      expect(await lines.turnOf(place(1))).toBe('settled');
      expect(await lines.turnOf(place(2))).toBe('go');
      expect(await lines.turnOf(place(3))).toBe('wait');
      await lines.settle(place(2));
      expect(await lines.settle(place(3))).toBeUndefined();
      expect(await redis.exists(keys.line('whe_1', 'sub_1'), keys.unsettled)).toBe(0);
    });

    it('keep to the sequence, whoever joins first', async () => {
      const lines = new Lines(redis, keys);
      for (const n of [2, 1]) await lines.join(place(n), jobKey(n));
      expect(await lines.turnOf(place(2))).toBe('wait');
    });

    it('let later ones pass one that steps aside, which may go on all the same', async () => {
      const lines = new Lines(redis, keys);
      for (const n of [1, 2]) await lines.join(place(n), jobKey(n));
      expect(await lines.stepAside(place(1))).toBe(place(2).jobId);
      expect(await lines.turnOf(place(1))).toBe('go');
      expect(await lines.turnOf(place(2))).toBe('go');
      expect(await redis.zcard(keys.unsettled)).toBe(2);
    });

    it('take nobody whose job is there: under way, or done and remembered', async () => {
      const lines = new Lines(redis, keys);
      await redis.hset(jobKey(1), 'name', 'subscription.created');
      expect(await lines.join(place(1), jobKey(1))).toBe(false);
      expect(await redis.exists(keys.unsettled)).toBe(0);
    });

    it('tell a mark what is unsettled, with the checkpoint of the same moment', async () => {
      expect(await presentMark(redis, keys)).toBeUndefined();
      await new Checkpoint(redis, keys).begin(at(2));
      const lines = new Lines(redis, keys);
      for (const n of [1, 2, 3]) await lines.join(place(n), jobKey(n));
      await lines.settle(place(1));
      const unsettled = [place(2).data.unsettled];
      expect(await presentMark(redis, keys)).toEqual({ position: at(2), unsettled });
    });
  });

  describe('a queue that nobody works on', () => {
    const log = createLogger('test', { level: 'silent' });
    let queue: Queue<object>;
    let workers: Redis;

    beforeEach(() => {
      queue = new Queue<object>('watched', { connection: redis, prefix: keys.prefix });
      workers = new Redis(server.url, { maxRetriesPerRequest: null });
    });

    afterEach(async () => {
      workers.disconnect();
      await queue.close();
    });

    it.each([
      ['waiting', {}],
      ['delayed and overdue', { delay: 1 }],
    ])('gets a new worker when its oldest job is %s for too long', async (_, options) => {
      const done: (string | undefined)[] = [];
      let laterMs = 0;
      const runner = new JobRunner<object>({
        ...{
          queue,
          redis,
          connection: workers,
          prefix: keys.prefix,
          concurrency: 1,
          lockMs: 3_000,
          log,
        },
        nowMs: () => Date.now() + laterMs,
        backoff: () => 0,
        process: async ({ id }) => void done.push(id),
        onDead: async () => undefined,
      });
      await queue.add('job', {}, { jobId: 'job-1', ...options });
      await runner.check();
      expect(done).toEqual([]);
      laterMs = 60_000;
      await runner.check();
      await eventually(() => done.length === 1, { what: 'the job' });
      await runner.stop();
    });
  });
});
