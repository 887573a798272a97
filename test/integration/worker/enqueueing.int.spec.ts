import { once } from 'node:events';
import { UnrecoverableError, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  jest,
} from '@jest/globals';
import { compactChanges, EXHAUSTED_NAMED } from '#checkpoint-backup';
import { createLogger } from '#platform';
import type { DeliveryHandler } from '../../../apps/worker/src/delivery/delivery-handler.js';
import { deliveryJobFor } from '../../../apps/worker/src/delivery/delivery-job.js';
import { DeliveryQueue } from '../../../apps/worker/src/delivery/delivery-queue.js';
import { DeliverySweep } from '../../../apps/worker/src/delivery/delivery-sweep.js';
import { deliveryJobId } from '../../../apps/worker/src/delivery/queued-message.js';
import { SubjectQueue } from '../../../apps/worker/src/delivery/subject-queue.js';
import { ExhaustedSet } from '../../../apps/worker/src/feed/exhausted-set.js';
import { ENDED_KEPT } from '../../../apps/worker/src/limits.js';
import { Fenced, type Lease } from '#projection-engine';
import { workerKeys } from '../../../apps/worker/src/redis/keys.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { createScripts } from './partition-scripts.js';
import { createMessage } from './queued-messages.js';

const keys = workerKeys('store-1', 0);
const fenceKey = `${keys.prefix}:fence`;
const fence = { key: fenceKey, token: 'epoch 1 a' };
const LEASE: Lease = { partition: 0, fence, lastsUntilMs: Infinity };
const silent = createLogger('test', { level: 'silent' });

describe('enqueueing', () => {
  let server: RunningRedis;
  let redis: Redis;
  let queue: SubjectQueue;
  let cleanUp: () => void;
  /** What the checkpoint has reached, as the process knows. */
  let reached: { position: string };

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
  });

  afterAll(async () => {
    redis.disconnect();
    await server.stop();
  });

  beforeEach(async () => {
    cleanUp = () => undefined;
    reached = { position: '' };
    await redis.flushall();
    await redis.set(fenceKey, LEASE.fence.token);
    queue = new SubjectQueue(redis, keys, createScripts(redis, keys, LEASE, reached));
  });

  afterEach(() => cleanUp());

  /** Everything that Redis holds, by key. */
  const readAll = async () => {
    const held = (await redis.keys('*')).sort();
    return Promise.all(held.map(async (key) => [key, (await redis.dumpBuffer(key)).toString()]));
  };

  const acts: [string, (n: number) => Promise<unknown>][] = [
    ['enqueue', (n) => queue.enqueue(createMessage(n))],
    ['find the place of', (n) => queue.findPlace(createMessage(n))],
    ['step aside', (n) => queue.stepAside(createMessage(n))],
    ['end', (n) => queue.remove(createMessage(n))],
  ];

  describe.each(acts)('to %s a message', (_, act) => {
    it.each([1, 2, 3])('changes nothing with a token of before (message %i)', async (n) => {
      for (const there of [1, 2]) await queue.enqueue(createMessage(there));
      await redis.set(fenceKey, 'another token');
      const before = await readAll();
      await expect(act(n)).rejects.toThrow(Fenced);
      expect(await readAll()).toEqual(before);
    });

    it('changes nothing in a Redis that stands before what was reached', async () => {
      const at = (n: number) => JSON.stringify({ position: String(n).padStart(20, '0') });
      for (const there of [1, 2]) await queue.enqueue(createMessage(there));
      reached.position = String(7).padStart(20, '0');
      for (const lost of [async () => redis.set(keys.checkpoint, at(6)), async () => undefined]) {
        await redis.del(keys.checkpoint);
        await lost();
        const before = await readAll();
        await expect(act(1)).rejects.toThrow(Fenced);
        expect(await readAll()).toEqual(before);
      }
      await redis.set(keys.checkpoint, at(7));
      await act(1);
    });

    it('changes nothing in a Redis that lost its memory', async () => {
      await queue.enqueue(createMessage(1));
      await redis.flushall();
      await expect(act(1)).rejects.toThrow(Fenced);
      expect(await readAll()).toEqual([]);
    });
  });

  it('gives every script keys of one slot', async () => {
    const evalsha = jest.spyOn(redis, 'evalsha');
    for (const [, act] of acts) await act(1);
    const scripts = evalsha.mock.calls.map(([sha, count, ...rest]) => ({
      sha,
      keys: rest.slice(0, Number(count)).map(String),
    }));
    evalsha.mockRestore();
    expect(new Set(scripts.map(({ sha }) => sha)).size).toBe(acts.length);
    // A cluster takes the slot from what stands between the first braces, where anything does.
    const tags = scripts.flatMap((script) => script.keys.map((key) => /{([^}]+)}/.exec(key)?.[1]));
    expect(new Set(tags)).toEqual(new Set([`sl:${keys.layoutId}:p0`]));
  });

  it('touches no key but those of the work in flight, and none of BullMQ', async () => {
    const { prefix, inFlight, checkpoint, ended, changes } = keys;
    const ours = ['subject-queue', 'message', 'delivery'].map((name) => `~${prefix}:${name}:*`);
    await redis.call(
      ...(['ACL', 'SETUSER', 'narrow', 'on', '>secret', '+@all'] as const),
      ...[fenceKey, inFlight, checkpoint, ended, changes].map((key) => `~${key}`),
      ...ours,
    );
    const narrow = new Redis(server.url, { username: 'narrow', password: 'secret' });
    cleanUp = () => narrow.disconnect();
    const narrowQueue = new SubjectQueue(narrow, keys, createScripts(narrow, keys, LEASE));
    for (const n of [1, 2]) await narrowQueue.enqueue(createMessage(n));
    expect(await narrowQueue.findPlace(createMessage(2))).toBe('behind');
    await narrowQueue.stepAside(createMessage(1));
    for (const n of [1, 2]) await narrowQueue.remove(createMessage(n));
    expect(await narrowQueue.listExpectedJobs('', 10)).toEqual([]);
  });

  it('expects a job of the first message of a queue, and of those that stepped aside', async () => {
    const expected = () => queue.listExpectedJobs('', 10);
    const ids = (...sequences: number[]) => sequences.map((n) => deliveryJobId(createMessage(n)));
    for (const n of [3, 2, 1, 4]) await queue.enqueue(createMessage(n));
    expect(await expected()).toEqual(ids(1));
    await queue.stepAside(createMessage(1));
    expect(await expected()).toEqual(ids(1, 2));
    // One that waited for too long goes on from behind, and may step aside there.
    await queue.stepAside(createMessage(3));
    expect(await expected()).toEqual(ids(1, 2, 3));
    await queue.remove(createMessage(3));
    await queue.remove(createMessage(2));
    expect(await expected()).toEqual(ids(1, 4));
    await queue.remove(createMessage(4));
    await queue.remove(createMessage(1));
    expect(await expected()).toEqual([]);
  });

  it('leaves a bounded number of marks of what has ended, those of the newest events', async () => {
    const count = ENDED_KEPT + 20;
    const messages = Array.from({ length: count }, (_, n) => createMessage(n, `sub_${n % 7}`));
    await Promise.all(messages.map((message) => queue.enqueue(message)));
    // Old ones end last, as those do that were tried for three days.
    await Promise.all(messages.reverse().map((message) => queue.remove(message)));
    await redis.del(keys.changes);
    expect((await redis.keys('*')).sort()).toEqual([keys.ended, fenceKey].sort());
    expect(await redis.zcard(keys.ended)).toBe(ENDED_KEPT);
    const [newest = createMessage(0)] = messages;
    expect(await queue.enqueue(newest)).toBe(false);
    expect(await queue.enqueue(createMessage(0, 'sub_0'))).toBe(true);
  });

  it('names what was given up, for the backup too, and the newest of them', async () => {
    const count = EXHAUSTED_NAMED + 1;
    const messages = Array.from({ length: count }, (_, n) => createMessage(n, `sub_${n % 7}`));
    await Promise.all(messages.map((message) => queue.enqueue(message)));
    await redis.del(keys.changes);
    const exhausted = new ExhaustedSet(redis, keys, LEASE);
    const givenUp = messages.map(({ inFlight: member, appId, type }) => ({
      ...{ member, appId, type, attempts: 12 },
      ...{ reason: 'the receiver answered 503', exhaustedAt: '2026-01-01T00:00:00.000Z' },
    }));
    await Promise.all(messages.map((message, n) => queue.remove(message, givenUp[n])));
    const lines = await redis.lrange(keys.changes, 0, '-1');
    expect(compactChanges(lines).exhausted).toHaveLength(count);
    expect(compactChanges(lines).ended).toHaveLength(count);
    const named = await exhausted.read();
    expect([...named.values()]).toEqual(givenUp.slice(1));

    await redis.del(keys.exhausted);
    await exhausted.restore(named);
    expect(await exhausted.read()).toEqual(named);
    await redis.set(fenceKey, 'another token');
    await expect(exhausted.restore(named)).rejects.toThrow(Fenced);
  });

  describe('the sweep', () => {
    let workers: Redis;
    let deliveries: DeliveryQueue;
    let sweep: DeliverySweep;
    let exhausted: string[];

    beforeEach(() => {
      workers = new Redis(server.url, { maxRetriesPerRequest: null });
      const { prefix } = keys;
      deliveries = new DeliveryQueue({ redis, workers, partition: 0, prefix }, silent);
      const handler: Partial<DeliveryHandler> = {
        onExhausted: async ({ id = '' }) => {
          exhausted.push(id);
          const message = await queue.load(id);
          if (message !== undefined) await queue.remove(message);
        },
      };
      exhausted = [];
      sweep = new DeliverySweep(deliveries, queue, handler as DeliveryHandler, silent);
    });

    afterEach(async () => {
      await deliveries.queue.close();
      workers.disconnect();
    });

    it('adds a job that was lost, once, as it was', async () => {
      await queue.enqueue(createMessage(1));
      await queue.enqueue(createMessage(2));
      for (let n = 0; n < 2; n += 1) await sweep.sweep();
      const jobs = await deliveries.queue.getJobs();
      expect(jobs.map(({ id }) => id)).toEqual([deliveryJobId(createMessage(1))]);
      expect(jobs[0]?.timestamp).toBe(createMessage(1).enqueuedAtMs);
      expect(jobs[0]?.data).toEqual(deliveryJobFor(createMessage(1)).data);
    });

    it('leaves a job that is there', async () => {
      await queue.enqueue(createMessage(1));
      await deliveries.queue.addBulk([deliveryJobFor(createMessage(1))]);
      await sweep.sweep();
      expect(await deliveries.queue.count()).toBe(1);
    });

    it('ends a message whose job is exhausted, and so lets the next one go', async () => {
      for (const n of [1, 2]) await queue.enqueue(createMessage(n));
      await deliveries.queue.addBulk([deliveryJobFor(createMessage(1))]);
      const giveUp = () => Promise.reject(new UnrecoverableError('gone'));
      const { prefix } = keys;
      const worker = new Worker(deliveries.name, giveUp, { connection: workers, prefix });
      await once(worker, 'failed');
      await worker.close();
      for (let n = 0; n < 2; n += 1) await sweep.sweep();
      expect(exhausted).toEqual([deliveryJobId(createMessage(1))]);
      expect(await queue.listExpectedJobs('', 10)).toEqual([deliveryJobId(createMessage(2))]);
      expect(await deliveries.queue.count()).toBe(1);
    });

    it('adds the job of a message that stepped aside', async () => {
      for (const n of [1, 2]) await queue.enqueue(createMessage(n));
      await queue.stepAside(createMessage(1));
      await sweep.sweep();
      expect(await deliveries.queue.count()).toBe(2);
    });
  });
});
