import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Fenced } from '#projection-engine';
import { FormerKeys } from '../../../apps/worker/src/delivery/former-keys.js';
import { RetryQueue } from '../../../apps/worker/src/delivery/retry-queue.js';
import { InFlightSet } from '../../../apps/worker/src/feed/in-flight-set.js';
import { workerKeys } from '../../../apps/worker/src/redis/keys.js';
import { createLease, silent } from '../../../apps/worker/src/spec-support/fakes.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';
import { createScripts } from './partition-scripts.js';

const at = (n: number) => String(n).padStart(20, '0');
const keys = workerKeys('store-1', 0);
const { prefix } = keys;
const { fence } = createLease();
/** As releases before decision 0122 wrote it, of messages of one subject. */
const member = (n: number) => `${at(n)} whe_1 subscription-sub_1 ${n} msg_${n}`;
const charge = `${at(5)} process subscription-sub_1 5`;
const MESSAGES = [1, 2, 3];

describe('what a former release left in Redis', () => {
  let server: RunningRedis;
  let redis: Redis;
  let retries: RetryQueue;
  let former: FormerKeys;

  beforeAll(async () => {
    server = await startRedis();
    redis = new Redis(server.url);
    const connections = { redis, workers: redis, partition: 0, prefix };
    retries = new RetryQueue(connections, silent);
    const inFlight = new InFlightSet(redis, keys, createScripts(redis, keys, createLease()));
    former = new FormerKeys(redis, keys, createLease(), inFlight, retries);
    await redis.set(fence.key, fence.token);
  });

  afterAll(async () => {
    await retries.queue.close();
    redis.disconnect();
    await server.stop();
  });

  /** A ledger's partition as that release left it; and another one's, which is none of ours. */
  async function leave(): Promise<void> {
    for (const n of MESSAGES) {
      await redis.zadd(keys.inFlight, 0, member(n));
      await redis.set(`${prefix}:message:whe_1-msg_${n}`, '{"sealedBody":"..."}');
      await redis.zadd(`${prefix}:subject-queue:whe_1:sub_1`, n, `whe_1-msg_${n}`);
    }
    await redis.zadd(keys.inFlight, 0, charge);
    await redis.zadd(`${prefix}:delivery:expected-jobs`, 0, 'whe_1-msg_1');
    await redis.set(`${workerKeys('store-2', 0).prefix}:message:whe_1-msg_1`, 'of another ledger');
  }

  /** As BullMQ keeps a job of which no attempt is left. */
  async function leaveFailedJobs(): Promise<void> {
    const queue = new Queue('webhooks', { connection: redis, prefix });
    for (const n of MESSAGES) {
      const { id = '' } = await queue.add('payment.succeeded', {}, { jobId: `whe_1-msg_${n}` });
      await redis.lrem(queue.toKey('wait'), 0, id);
      await redis.zadd(queue.toKey('failed'), n, id);
    }
    await queue.close();
  }

  const listLeft = async () =>
    (await redis.keys('*message:*')).concat(await redis.keys('*subject-queue*'));

  it('stays where this process does not hold the partition', async () => {
    await leave();
    await redis.set(fence.key, 'epoch 2');
    await expect(former.remove()).rejects.toThrow(Fenced);
    expect(await listLeft()).toHaveLength(MESSAGES.length + 2);
    expect(await redis.exists(`${prefix}:delivery:expected-jobs`)).toBe(1);
    await redis.set(fence.key, fence.token);
  });

  it('is removed, and what is in flight stays', async () => {
    await leaveFailedJobs();
    await former.remove();
    expect(await listLeft()).toEqual([`${workerKeys('store-2', 0).prefix}:message:whe_1-msg_1`]);
    expect(await redis.exists(`${prefix}:delivery:expected-jobs`)).toBe(0);
    expect(await redis.zrange(keys.inFlight, 0, '-1')).toEqual([...MESSAGES.map(member), charge]);
    expect(await retries.queue.getJobCounts('failed', 'waiting')).toEqual({
      ...{ failed: 0, waiting: 0 },
    });
    expect(await redis.keys(`${retries.queue.toKey('')}whe_1*`)).toEqual([]);
  });

  it('is looked for once', async () => {
    // What has these names and no mark beside it is not of that release.
    await redis.set(`${prefix}:message:whe_1-msg_1`, 'something else');
    await former.remove();
    expect(await redis.exists(`${prefix}:message:whe_1-msg_1`)).toBe(1);
  });
});
