import { once } from 'node:events';
import { DelayedError } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Partitions } from '#event-store';
import { createLogger } from '#platform';
import { Fenced } from '#projection-engine';
import { ClockParts } from '../../../apps/worker/src/billing-clock/clock-parts.js';
import { deliveryJobId } from '../../../apps/worker/src/delivery/queued-message.js';
import { SubjectQueue } from '../../../apps/worker/src/delivery/subject-queue.js';
import { FeedCheckpoint } from '../../../apps/worker/src/feed/feed-checkpoint.js';
import { InFlightSet } from '../../../apps/worker/src/feed/in-flight-set.js';
import { ParkedSet } from '../../../apps/worker/src/feed/parked-set.js';
import { FeedProgress } from '../../../apps/worker/src/feed/feed-progress.js';
import { JobQueue } from '../../../apps/worker/src/jobs/job-queue.js';
import { type JobHandler, JobRunner } from '../../../apps/worker/src/jobs/job-runner.js';
import { createLease } from '../../../apps/worker/src/spec-support/fakes.js';
import { workerKeys } from '../../../apps/worker/src/redis/keys.js';
import { eventually } from '../../support/eventually.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { createScripts } from './partition-scripts.js';
import { createMessage } from './queued-messages.js';

const at = (n: number) => String(n).padStart(20, '0');
const keys = workerKeys('store-1', 0);

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

  beforeEach(async () => {
    await redis.flushall();
    const { key, token } = createLease().fence;
    await redis.set(key, token);
  });

  describe('a subject queue', () => {
    const place = createMessage;
    const createQueue = () =>
      new SubjectQueue(redis, keys, createScripts(redis, keys, createLease()));

    it('lets one go after the other', async () => {
      const queue = createQueue();
      for (const n of [1, 2, 3]) expect(await queue.enqueue(place(n))).toBe(true);
      expect(await queue.findPlace(place(1))).toBe('first');
      expect(await queue.findPlace(place(2))).toBe('behind');
      expect(await queue.remove(place(1))).toBe(deliveryJobId(place(2)));
      expect(await queue.findPlace(place(1))).toBe('ended');
      expect(await queue.findPlace(place(2))).toBe('first');
      expect(await queue.findPlace(place(3))).toBe('behind');
      await queue.remove(place(2));
      expect(await queue.remove(place(3))).toBeUndefined();
      expect(await redis.exists(keys.subjectQueue('whe_1', 'sub_1'), keys.inFlight)).toBe(0);
    });

    it('keeps to the sequence, in whatever order they come', async () => {
      const queue = createQueue();
      for (const n of [2, 1]) await queue.enqueue(place(n));
      expect(await queue.findPlace(place(2))).toBe('behind');
    });

    it('lets later ones pass one that steps aside, which may go on all the same', async () => {
      const queue = createQueue();
      for (const n of [1, 2]) await queue.enqueue(place(n));
      expect(await queue.stepAside(place(1))).toBe(deliveryJobId(place(2)));
      expect(await queue.findPlace(place(1))).toBe('first');
      expect(await queue.findPlace(place(2))).toBe('first');
      expect(await redis.zcard(keys.inFlight)).toBe(2);
    });

    it('takes no message that is there, or that has ended', async () => {
      const queue = createQueue();
      await queue.enqueue(place(1));
      await queue.enqueue({ ...place(1), sealedBody: '{}' });
      expect(await queue.load(deliveryJobId(place(1)))).toEqual(place(1));
      await queue.remove(place(1));
      expect(await queue.enqueue(place(1))).toBe(false);
      expect(await redis.exists(keys.inFlight)).toBe(0);
    });

    it('leaves a line for the backup of each change, with the checkpoint of the same moment', async () => {
      const progress = new FeedProgress(redis, keys, createLease());
      expect(await progress.read(10)).toBeUndefined();
      const checkpoint = new FeedCheckpoint(redis, keys, createLease());
      await checkpoint.recover();
      await checkpoint.standAt(at(2));
      const queue = createQueue();
      for (const n of [1, 2, 3]) await queue.enqueue(place(n));
      await queue.remove(place(1));
      const lines = [1, 2, 3].map((n) => `+${place(n).inFlight}`);
      lines.push(`-${place(1).inFlight}`);
      const read = await progress.read(3);
      expect(read).toMatchObject({ position: at(2), lines: lines.slice(0, 3), lineCount: 4 });
      await progress.drop(3);
      expect(await progress.read(3)).toMatchObject({ lines: lines.slice(3), lineCount: 1 });
      await checkpoint.advance(at(3));
      expect(await progress.read(0)).toMatchObject({ position: at(3), identity: read?.identity });
      // After a loss it stands there anew.
      await checkpoint.standAt(at(3));
      expect((await progress.read(0))?.identity).not.toBe(read?.identity);
    });

    it('tells a server that came back with the same from the one before', async () => {
      const checkpoint = new FeedCheckpoint(redis, keys, createLease());
      await checkpoint.recover();
      await checkpoint.standAt(at(2));
      const stored = await redis.get(keys.checkpoint);
      const before = await new FeedProgress(redis, keys, createLease()).read(0);
      // What it has been asked since then it may lack, though its checkpoint is the same.
      const restarted = await startRedis();
      const there = new Redis(restarted.url);
      const { fence } = createLease();
      await there.mset(keys.checkpoint, stored ?? '', fence.key, fence.token);
      const after = await new FeedProgress(there, keys, createLease()).read(0);
      there.disconnect();
      await restarted.stop();
      expect([before?.position, after?.position]).toEqual([at(2), at(2)]);
      expect(after?.identity).not.toBe(before?.identity);
    });
  });

  describe('what only the holder of the partition changes', () => {
    const { fence } = createLease();
    const member = `${at(3)} process subscription-sub_1 0`;
    const inFlight = () => new InFlightSet(redis, keys, createScripts(redis, keys, createLease()));
    const charge = { member, dueAtMs: 1_000 };
    const parts = () => new ClockParts(redis, keys, createLease(), new Partitions(1));
    const part = { standsAt: '2026-01-01T00:00:00.000Z', target: '2026-12-31T00:00:00.000Z' };

    it('is the work in flight', async () => {
      expect(await inFlight().begin([charge])).toEqual([member]);
      await redis.set(fence.key, 'epoch 2');
      const other = { member: `${member}0`, dueAtMs: null };
      await expect(inFlight().begin([other])).rejects.toThrow(Fenced);
      await expect(inFlight().end(member)).rejects.toThrow(Fenced);
      await expect(inFlight().askAgain(member, 2_000)).rejects.toThrow(Fenced);
      expect(await redis.zrange(keys.inFlight, 0, '-1')).toEqual([member]);
      expect(await redis.zscore(keys.dueAtGateway, member)).toBe('1000');
      await redis.set(fence.key, fence.token);
      await inFlight().end(member);
      expect(await redis.exists(keys.inFlight, keys.dueAtGateway)).toBe(0);
    });

    it('is what is parked, and the backup of how far all is', async () => {
      const entry = {
        ...{ streamName: 'subscription-sub_1', revision: 1, position: at(3), begunUpTo: '' },
        ...{ type: 'subscription.teleported.v1', reason: 'unknown_type', release: 'a' },
      };
      const parked = () => new ParkedSet(redis, keys, createLease());
      const progress = () => new FeedProgress(redis, keys, createLease());
      await parked().park(entry);
      await redis.set(fence.key, 'epoch 2');
      await expect(parked().park({ ...entry, streamName: 'other' })).rejects.toThrow(Fenced);
      await expect(parked().remove(entry.streamName)).rejects.toThrow(Fenced);
      await expect(progress().read(1)).rejects.toThrow(Fenced);
      await expect(progress().drop(1)).rejects.toThrow(Fenced);
      expect(await parked().read()).toEqual([entry]);
      expect(await redis.llen(keys.changes)).toBe(1);
    });

    it('is how far its part of the step of a test clock is', async () => {
      await parts().answer('app_1', { ...part, next: null });
      await redis.set(fence.key, 'epoch 2');
      await expect(parts().answer('app_1', { ...part, next: part.target })).rejects.toThrow(Fenced);
      expect(await parts().readAll('app_1')).toEqual([{ ...part, next: null }]);
      expect(await redis.pttl(keys.clockPart('app_1'))).toBeGreaterThan(0);
    });
  });

  describe('a worker that stops', () => {
    it('gives up at once what it takes up still', async () => {
      const workers = new Redis(server.url, { maxRetriesPerRequest: null });
      const connections = { redis, workers, partition: 0, prefix: keys.prefix };
      const log = createLogger('test', { level: 'silent' });
      const jobs = new JobQueue<object>('stopping', connections, log);
      let isStopping = false;
      const takenUp: { readonly isStopping: boolean; readonly isGivenUp: boolean }[] = [];
      const handler: JobHandler<object> = {
        process: async (job, token, signal) => {
          takenUp.push({ isStopping, isGivenUp: signal.aborted });
          if (!signal.aborted) await once(signal, 'abort');
          await job.moveToDelayed(Date.now(), token);
          throw new DelayedError();
        },
        claimsFor: () => [],
        backoffMs: () => 0,
        onExhausted: async () => undefined,
      };
      const settings = { places: 4, waitingKept: 4, looksPerSecond: 4, lockMs: 3_000 };
      const runner = new JobRunner<object>(jobs, settings, handler, log);
      runner.start();
      for (const jobId of ['job-1', 'job-2']) await jobs.queue.add('job', {}, { jobId });
      await eventually(() => takenUp.length === 2, { what: 'the jobs' });
      isStopping = true;
      await runner.stop();
      expect(takenUp.filter((job) => job.isStopping && !job.isGivenUp)).toEqual([]);
      workers.disconnect();
      await jobs.queue.close();
    });
  });

  describe('a queue without a working worker', () => {
    const log = createLogger('test', { level: 'silent' });
    let jobs: JobQueue<object>;
    let workers: Redis;

    beforeEach(() => {
      workers = new Redis(server.url, { maxRetriesPerRequest: null });
      jobs = new JobQueue('watched', { redis, workers, partition: 0, prefix: keys.prefix }, log);
    });

    afterEach(async () => {
      workers.disconnect();
      await jobs.queue.close();
    });

    it('takes jobs also when Redis failed the first command, as it does right after a restart', async () => {
      const failing = new Redis(server.url);
      await once(failing, 'ready');
      failing.info = () => Promise.reject(new Error('Command timed out'));
      const connections = { redis: failing, workers, partition: 0, prefix: keys.prefix };
      const begun = new JobQueue<object>('begun', connections, log);
      const added = begun.queue.add('job', {});
      await added.catch(() => undefined).then(() => failing.disconnect());
      expect(await added).toMatchObject({ id: '1' });
    });

    it.each([
      ['waiting', {}],
      ['delayed and overdue', { delay: 1 }],
    ])('gets a new worker when its oldest job is %s for too long', async (_, options) => {
      const done: (string | undefined)[] = [];
      let laterMs = 0;
      const handler: JobHandler<object> = {
        process: async ({ id }) => void done.push(id),
        claimsFor: () => [],
        backoffMs: () => 0,
        onExhausted: async () => undefined,
      };
      const shares = { places: 1, waitingKept: 1, looksPerSecond: 1 };
      const settings = { ...shares, lockMs: 3_000, nowMs: () => Date.now() + laterMs };
      const runner = new JobRunner<object>(jobs, settings, handler, log);
      await jobs.queue.add('job', {}, { jobId: 'job-1', ...options });
      await runner.check();
      expect(done).toEqual([]);
      laterMs = 60_000;
      await runner.check();
      await eventually(() => done.length === 1, { what: 'the job' });
      await runner.stop();
    });
  });
});
