import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Redis } from 'ioredis';
import { createLogger } from '#platform';
import { projections } from '#projections';
import { type RunningRedis, startRedis } from '../../../test/support/redis.js';
import { clearPartitions } from './clearing.js';
import { FencedCheckpoint } from './fenced-checkpoint.js';
import { createNamespace, namespacesKey } from './keys.js';
import { type Lease, Leases } from './leases/leases.js';
import { retireNamespaces, touchNamespace } from './namespaces.js';
import { parkedAt } from './parked-streams.js';
import { Partition } from './partition.js';

const at = (position: number) => String(position).padStart(20, '0');

let server: RunningRedis;
let redis: Redis;

beforeEach(async () => {
  server = await startRedis();
  redis = new Redis(server.url);
});

afterEach(async () => {
  redis.disconnect();
  await server.stop();
});

/** All that stands in Redis, but for leases and for when read models were last used. */
async function dump(): Promise<Record<string, string>> {
  const isKept = (key: string) => !key.includes(':projector:') && !key.endsWith(':namespaces');
  const keys = (await redis.keys('*')).filter(isKept);
  const stored = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  return Object.fromEntries(keys.map((key, n) => [key, stored[n]?.toString('hex') ?? '']));
}

describe('a former holder of a partition', () => {
  const namespace = createNamespace(projections, { layoutId: 'store-1', partitions: 1 });
  const [keys] = namespace.partitions;
  if (keys === undefined) throw new Error('there is a partition');
  const parked = parkedAt(
    {
      undecodable: true,
      id: 'event-1',
      type: 'subscription.paused.v1',
      streamName: 'subscription-sub_1',
      revision: 3,
      position: at(9),
      reason: 'unknown_type',
    },
    'unknown_type',
  );
  const writes = {
    documents: [{ key: keys.document('plans', 'plan_1'), stored: `${at(0)}${at(9)}{}` }],
    lists: [
      {
        act: 'add' as const,
        key: keys.index(['plans']),
        entry: { index: ['plans'] as const, member: 'm', score: 0 },
      },
    ],
    parked: [parked],
  };

  async function acquire(holder: string): Promise<Lease> {
    const leases = new Leases({ redis, keys: namespace.leases, holder, lastsMs: 60_000 });
    const lease = await leases.acquire(0);
    if (lease === undefined) throw new Error('another one holds it');
    return lease;
  }

  /** A partition that stands where its former holder believes it to stand, in other hands. */
  async function loseAfterBegin() {
    const former = new Partition(redis, keys!, (await acquire('a')).fence);
    await former.checkpoint.begin(at(1), 'store-1');
    await former.load();
    await redis.del(`${namespace.leases.prefix(0)}:lease`);
    const { fence } = await acquire('b');
    return { former, next: new FencedCheckpoint(redis, keys!, fence) };
  }

  it('applies no batch, though the checkpoint is the one that it knows', async () => {
    const { former, next } = await loseAfterBegin();
    const before = await dump();
    const current = former.checkpoint.current!;
    const to = { ...current, position: at(9) };
    expect(await former.checkpoint.commit(to, writes)).toBe('fenced');
    expect(await former.checkpoint.commit(to)).toBe('fenced');
    expect(await former.checkpoint.commit(undefined)).toBe('fenced');
    expect(await dump()).toEqual(before);
    await next.load();
    expect(await next.commit(to, writes)).toBe('applied');
  });

  it('begins nothing anew where Redis was emptied', async () => {
    const { former } = await loseAfterBegin();
    await redis.flushall();
    await former.load();
    await expect(former.checkpoint.begin(at(1), 'store-1')).rejects.toThrow('could not be begun');
    expect(await dump()).toEqual({});
  });

  it('does not begin to clear', async () => {
    const { former } = await loseAfterBegin();
    const before = await dump();
    await expect(clearPartitions(redis, namespace, [former])).rejects.toThrow('taken partition 0');
    expect(await dump()).toEqual(before);
  });

  it('deletes nothing more in the middle of clearing', async () => {
    const lease = await acquire('a');
    const clearing = new Partition(redis, keys, lease.fence);
    await clearing.checkpoint.begin(at(1), 'store-1');
    await clearing.checkpoint.commit(clearing.checkpoint.current, writes);
    const documentKey = keys.document('plans', 'plan_1');
    // Between the first step, which is applied, and the first deletion, another one takes over.
    const slow = redis.duplicate();
    const scan = slow.scan.bind(slow);
    const takeOver = async (...args: Parameters<typeof scan>) => {
      await redis.set(lease.fence.key, 'another 1');
      return scan(...args);
    };
    Object.assign(slow, { scan: takeOver });
    await expect(clearPartitions(slow, namespace, [clearing])).rejects.toThrow('taken partition 0');
    slow.disconnect();
    expect(await redis.exists(documentKey, keys.parked, keys.index(['plans']))).toBe(3);
  });
});

describe('the read models of a release that is gone', () => {
  const ledger = { layoutId: 'store-1', partitions: 2 };
  const own = createNamespace(projections, ledger);
  const gone = createNamespace([], ledger);
  const retire = () =>
    retireNamespaces({
      redis,
      own,
      holder: 'next',
      log: createLogger('test', { level: 'silent' }),
      keptMs: -1,
    });

  it('stay whole while a projector of theirs has a part of them, and then leave nothing behind', async () => {
    const leases = new Leases({ redis, keys: gone.leases, holder: 'old', lastsMs: 60_000 });
    await leases.beat();
    for (const keys of gone.partitions) {
      const lease = await leases.acquire(keys.number);
      if (lease === undefined) throw new Error('another one holds it');
      await new FencedCheckpoint(redis, keys, lease.fence).begin(at(1), ledger.layoutId);
      if (keys.number === 0) await leases.release(lease);
    }
    await touchNamespace(redis, gone);
    const before = await dump();
    await retire();
    expect(await dump()).toEqual(before);
    expect(await redis.zcard(namespacesKey(ledger.layoutId))).toBe(1);
    expect(await redis.exists(`${gone.leases.prefix(0)}:lease`)).toBe(0);

    await redis.del(`${gone.leases.prefix(1)}:lease`);
    await retire();
    expect(await redis.keys('*')).toEqual([]);
  });
});
