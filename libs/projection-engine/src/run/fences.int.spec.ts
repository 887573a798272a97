import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { createLogger } from '#platform';
import { dumpReadModels } from '../../../../test/support/dump-read-models.js';
import { type RunningRedis, startRedis } from '../../../../test/support/redis.js';
import { applyBatch, type SectionWrites } from '../stored/apply-batch.js';
import type { Projection } from '../define/index.js';
import { openReadModel, readModelsKey } from '../stored/keys.js';
import { type Lease, Leases } from '../leases/leases.js';
import { parkedAt } from '../stored/parked-stream.js';
import { PartitionDocuments } from '../partition/partition-documents.js';
import { deleteLeftovers, retireReadModels, touchReadModels } from './retirement.js';

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

const dump = () => dumpReadModels(redis);

const going = new AbortController().signal;
const LEDGER = { layoutId: 'store-1', partitions: 2 };
const own = openReadModel('visits.1.abc', LEDGER);
const [keys] = own.partitions;
if (keys === undefined) throw new Error('there is a partition');
// None of these tests folds.
const projection = { name: 'visits' } as unknown as Projection<unknown>;

async function acquire(holder: string, partition = 0): Promise<Lease> {
  const leases = new Leases({ redis, keys: own.leases, holder, lastsMs: 60_000 });
  const lease = await leases.acquire(partition);
  if (lease === undefined) throw new Error('another one holds it');
  return lease;
}

const open = ({ fence }: Lease) =>
  new PartitionDocuments(redis, { projection, keys, fence, cachedDocuments: 10 });

/** A document, a list and a parked stream, in the generation that is fed. */
function createWrites({ building, answering }: PartitionDocuments): SectionWrites {
  const { epoch } = building.current ?? answering.current!;
  const { documents: documentsKey, index, parked: parkedKey } = keys!.generation(epoch);
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
  const entry = { index: ['visits'] as const, member: 'm', score: 0 };
  return {
    documentsKey,
    documents: [{ id: 'one', stored: '[9]' }],
    lists: [{ act: 'add', key: index(['visits']), entry }],
    parkedKey,
    parked: [parked],
    unparked: [],
  };
}

describe('a former holder of a partition', () => {
  /** A partition that stands where its former holder believes it to stand, in other hands. */
  async function loseWhile(prepare: (former: PartitionDocuments) => Promise<void>) {
    const former = open(await acquire('a'));
    await former.load();
    await former.build('store-1');
    await prepare(former);
    await redis.del(`${own.leases.prefix(0)}:lease`);
    const next = open(await acquire('b'));
    await next.load();
    return { former, next };
  }

  it('applies no batch, though the checkpoint is the one that it knows', async () => {
    const { former, next } = await loseWhile((partition) => partition.promote());
    const before = await dump();
    const to = { ...former.answering.current!, position: at(9) };
    const section = () => former.answering.prepare(to, createWrites(former));
    expect(await applyBatch(redis, [section()])).toBe('fenced');
    expect(await former.answering.commit(to)).toBe('fenced');
    expect(await former.answering.commit(undefined)).toBe('fenced');
    // Nor does another section, which may be written, take it along.
    const good = () => next.building.prepare({ ...to, epoch: 'other' });
    expect(await applyBatch(redis, [good(), section()])).toBe('fenced');
    expect(await dump()).toEqual(before);
    const allowed = next.answering.prepare(to, createWrites(next));
    expect(await applyBatch(redis, [good(), allowed])).toBe('applied');
  });

  it('writes no document over a newer one, and nothing else with it', async () => {
    const partition = open(await acquire('a'));
    await partition.load();
    await partition.build('store-1');
    const writes = createWrites(partition);
    const to = { ...partition.building.current!, position: at(9) };
    // Revisions are compared as numbers: as texts, 10 would come before 9.
    for (const newer of ['[9]', '[10]']) {
      await redis.hset(writes.documentsKey, 'one', newer);
      const before = await dump();
      expect(await applyBatch(redis, [partition.building.prepare(to, writes)])).toBe('outdated');
      expect(await dump()).toEqual(before);
    }
    await redis.hset(writes.documentsKey, 'one', '[8]');
    expect(await applyBatch(redis, [partition.building.prepare(to, writes)])).toBe('applied');
  });

  it('begins nothing anew where Redis was emptied', async () => {
    const { former } = await loseWhile((partition) => partition.promote());
    await redis.flushall();
    await former.load();
    await expect(former.build('store-1')).rejects.toThrow('could not be begun');
    expect(await dump()).toEqual({});
  });

  it('lets nothing answer that it has built', async () => {
    const { former, next } = await loseWhile(async () => undefined);
    const before = await dump();
    await expect(former.promote()).rejects.toMatchObject({ code: 'conflict' });
    expect(await dump()).toEqual(before);
    await next.promote();
    expect([next.isBuilding, next.answering.current?.epoch]).toEqual([
      false,
      former.building.current?.epoch,
    ]);
  });

  it('deletes nothing of older generations', async () => {
    const { former, next } = await loseWhile((partition) => partition.promote());
    await redis.hset(keys.generation('older').documents, 'one', '[1]');
    const before = await dump();
    const held = (partition: PartitionDocuments) => [{ keys, fence: partition.fence }];
    await expect(
      deleteLeftovers(redis, LEDGER.layoutId, held(former), going),
    ).rejects.toMatchObject({
      code: 'conflict',
    });
    expect(await dump()).toEqual(before);
    await deleteLeftovers(redis, LEDGER.layoutId, held(next), going);
    expect(await redis.keys('*:older:*')).toEqual([]);
    expect(await redis.exists(keys.checkpoint)).toBe(1);
  });
});

describe('generations', () => {
  it('stay as long as they answer or are being built', async () => {
    const lease = await acquire('a');
    const partition = open(lease);
    await partition.load();
    await partition.build('store-1');
    const writes = createWrites(partition);
    const to = { ...partition.building.current!, position: at(9) };
    const section = partition.building.prepare(to, writes);
    expect(await applyBatch(redis, [section])).toBe('applied');
    partition.applied(section);
    await partition.promote();
    await partition.build('store-1');
    const next = { ...partition.building.current!, position: at(9) };
    await applyBatch(redis, [partition.building.prepare(next, createWrites(partition))]);
    const before = await redis.keys('*:d');
    expect(before).toHaveLength(2);
    const held = [{ keys, fence: lease.fence }];
    await deleteLeftovers(redis, LEDGER.layoutId, held, going);
    expect((await redis.keys('*:d')).sort()).toEqual(before.sort());
  });
});

describe('the read models of a release that is gone', () => {
  const gone = openReadModel('visits.0.abc', LEDGER);
  const retire = (signal = going) =>
    retireReadModels({
      redis,
      ledger: LEDGER,
      own: [own.name],
      holder: 'next',
      log: createLogger('test', { level: 'silent' }),
      signal,
      keptMs: -1,
    });

  it('stay whole while a projector of theirs has a part of them, and then leave nothing behind', async () => {
    const leases = new Leases({ redis, keys: gone.leases, holder: 'old', lastsMs: 60_000 });
    await leases.beat();
    for (const keys of gone.partitions) {
      const lease = await leases.acquire(keys.number);
      if (lease === undefined) throw new Error('another one holds it');
      const options = { projection, keys, fence: lease.fence, cachedDocuments: 1 };
      const partition = new PartitionDocuments(redis, options);
      await partition.build(LEDGER.layoutId);
      await partition.promote();
      if (keys.number === 0) await leases.release(lease);
    }
    await touchReadModels(redis, LEDGER, [gone.name]);
    const before = await dump();
    await retire();
    expect(await dump()).toEqual(before);
    expect(await redis.zcard(readModelsKey(LEDGER.layoutId))).toBe(1);
    expect(await redis.exists(`${gone.leases.prefix(0)}:lease`)).toBe(0);

    await redis.del(`${gone.leases.prefix(1)}:lease`);
    // A stop in the middle of the walk leaves nothing that would answer, and the rest to the next one.
    await retire(AbortSignal.abort());
    expect(await dump()).toEqual(before);
    const isOver = new AbortController();
    const scan = redis.scan.bind(redis);
    Object.assign(redis, {
      scan: (...args: Parameters<typeof scan>) => {
        isOver.abort();
        return scan(...args);
      },
    });
    await retire(isOver.signal);
    expect(await redis.exists(gone.partitions.map(({ checkpoint }) => checkpoint))).toBe(0);
    expect(await redis.zcard(readModelsKey(LEDGER.layoutId))).toBe(1);
    Object.assign(redis, { scan });
    await retire();
    expect(await redis.keys('*')).toEqual([]);
  });
});
