import { Redis } from 'ioredis';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { FencedCheckpoint } from '#projection-engine';
import { workerKeys } from '#worker-state';
import { FeedCheckpoint } from '../../../apps/worker/src/redis/feed-checkpoint.js';
import { type RunningRedis, startRedis } from '../../support/redis.js';

const at = (n: number) => String(n).padStart(20, '0');
const LAYOUT_ID = 'store-1';
const worker = workerKeys(LAYOUT_ID, 0);
const FENCE = { key: `${worker.prefix}:fence`, token: 'epoch 1 a' };
const LEASE = { partition: 0, fence: FENCE, lastsUntilMs: Infinity };
const partition = { checkpoint: '{p0}:checkpoint' };

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
  await redis.set(FENCE.key, FENCE.token);
});

/** The rules of every follower of the event store, be it the projector or the worker. */
describe.each([
  [
    'a partition of the projector',
    partition,
    () => new FencedCheckpoint(redis, partition.checkpoint, FENCE),
  ],
  ['the feed of the worker', worker, () => new FeedCheckpoint(redis, worker, LEASE)],
])('the checkpoint of %s', (_, keys, open) => {
  it('is begun once, by the one that comes first', async () => {
    const [first, second] = [open(), open()];
    expect(await first.load()).toBeUndefined();
    await first.begin(at(7), LAYOUT_ID);
    expect(await second.begin(at(3), LAYOUT_ID)).toMatchObject({ position: at(7) });
  });

  it('is neither begun nor moved by one whose token does not count any more', async () => {
    const holder = open();
    const begun = await holder.begin(at(1), LAYOUT_ID);
    await redis.set(FENCE.key, 'epoch 2 b');
    expect(await holder.commit({ ...begun, position: at(9) })).toBe('fenced');
    expect(await holder.load()).toEqual(begun);
    await redis.del(keys.checkpoint);
    await expect(open().begin(at(1), LAYOUT_ID)).rejects.toMatchObject({ code: 'conflict' });
    expect(await redis.exists(keys.checkpoint)).toBe(0);
  });

  it('is not moved by a writer that another went ahead of', async () => {
    const [first, second] = [open(), open()];
    const begun = await first.begin(at(1), LAYOUT_ID);
    await second.load();
    expect(await first.commit({ ...begun, position: at(5) })).toBe('applied');
    expect(await second.commit({ ...begun, position: at(4) })).toBe('fenced');
    expect(await open().load()).toMatchObject({ position: at(5) });
  });

  it('takes what is not its own form for none', async () => {
    await redis.set(keys.checkpoint, '{"position":"000');
    const checkpoint = open();
    expect(await checkpoint.load()).toBeUndefined();
    expect(await checkpoint.begin(at(3), LAYOUT_ID)).toMatchObject({ position: at(3) });
  });
});

describe('the checkpoint of the worker', () => {
  const open = () => new FeedCheckpoint(redis, worker, LEASE);

  it('goes on from the very beginning, and never back', async () => {
    const [first, second] = [open(), open()];
    await first.begin('', LAYOUT_ID);
    await second.load();
    await first.advance(at(9));
    await second.advance(at(5));
    expect(await first.load()).toMatchObject({ position: at(9) });
    await second.verify();
    expect(second.position).toBe(at(9));
  });

  it('notices that Redis was emptied', async () => {
    const checkpoint = open();
    await checkpoint.begin(at(1), LAYOUT_ID);
    await redis.flushall();
    await redis.set(FENCE.key, FENCE.token);
    await expect(checkpoint.advance(at(2))).rejects.toMatchObject({ code: 'conflict' });
    expect(await redis.exists(worker.checkpoint)).toBe(0);
  });

  it('notices that Redis was emptied and another has begun anew', async () => {
    const checkpoint = open();
    await checkpoint.begin(at(5), LAYOUT_ID);
    await redis.flushall();
    await redis.set(FENCE.key, FENCE.token);
    await open().begin(at(5), LAYOUT_ID);
    await expect(checkpoint.advance(at(6))).rejects.toMatchObject({ code: 'conflict' });
    expect(await open().load()).toMatchObject({ position: at(5) });
  });

  it('notices that Redis has lost its last moments', async () => {
    const checkpoint = open();
    await checkpoint.begin(at(5), LAYOUT_ID);
    await checkpoint.advance(at(8));
    await redis.set(worker.checkpoint, JSON.stringify({ ...checkpoint.current, position: at(6) }));
    await expect(checkpoint.verify()).rejects.toMatchObject({ code: 'conflict' });
  });
});
