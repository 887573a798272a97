import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { createLogger } from '#platform';
import { dumpReadModels } from '../../../../test/support/dump-read-models.js';
import { type RunningRedis, startRedis } from '../../../../test/support/redis.js';
import { applyBatch, type SectionWrites } from '../stored/apply-batch.js';
import type { Projection } from '../define/index.js';
import { encodeCheckpoint } from '../stored/checkpoint.js';
import { FencedCheckpoint } from '../stored/fenced-checkpoint.js';
import { openReadModel, type GenerationPlace, readModelsKey } from '../stored/keys.js';
import { type Lease, Leases } from '../leases/leases.js';
import { parkedAt } from '../stored/parked-stream.js';
import { ReadModelPartition } from '../partition/read-model-partition.js';
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

/** A partition as it stands. */
async function open({ fence }: Lease): Promise<ReadModelPartition> {
  const place = { name: own.name, projection, keys: keys!, fence, cachedDocuments: 10 };
  const partition = new ReadModelPartition(redis, place);
  await partition.load();
  return partition;
}
const begin = (partition: ReadModelPartition, generation = 1) =>
  partition.take({ kind: 'begin', generation }, LEDGER.layoutId);
const answer = (partition: ReadModelPartition) =>
  partition.take({ kind: 'answer', from: 'building', isUnchecked: false }, LEDGER.layoutId);
/** The checkpoint in a place, as its holder knows it. */
async function checkpointAt({ keys: own, fence }: ReadModelPartition, place: GenerationPlace) {
  const checkpoint = new FencedCheckpoint(redis, own[place], fence);
  await checkpoint.load();
  return checkpoint;
}

/** A document, a list and a parked stream, in the generation that is fed. */
function createWrites(partition: ReadModelPartition): SectionWrites {
  const { epoch } = (partition.at('building') ?? partition.at('checkpoint'))!.checkpoint;
  const {
    documents: documentsKey,
    counts: countsKey,
    index,
    parked: parkedKey,
  } = keys!.generation(epoch);
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
    countsKey,
    documents: [{ id: 'one', stored: '[9]' }],
    lists: [{ act: 'add', key: index(['visits']), entry }],
    parkedKey,
    parked: [parked],
    unparked: [],
  };
}

describe('a former holder of a partition', () => {
  /** A partition that stands where its former holder believes it to stand, in other hands. */
  async function loseWhile(prepare: (former: ReadModelPartition) => Promise<void>) {
    const former = await open(await acquire('a'));
    await begin(former);
    await prepare(former);
    await redis.del(`${own.leases.prefix(0)}:lease`);
    return { former, next: await open(await acquire('b')) };
  }

  it('applies no batch, though the checkpoint is the one that it knows', async () => {
    const { former, next } = await loseWhile(answer);
    const before = await dump();
    const theirs = await checkpointAt(former, 'checkpoint');
    const to = { ...theirs.current!, position: at(9) };
    const section = () => theirs.prepare(to, createWrites(former));
    expect(await applyBatch(redis, [section()])).toBe('fenced');
    expect(await theirs.commit(to)).toBe('fenced');
    expect(await theirs.commit(undefined)).toBe('fenced');
    // Nor does another section, which may be written, take it along.
    const ours = await checkpointAt(next, 'building');
    const good = () => ours.prepare({ ...to, epoch: 'other' });
    expect(await applyBatch(redis, [good(), section()])).toBe('fenced');
    expect(await dump()).toEqual(before);
    const allowed = (await checkpointAt(next, 'checkpoint')).prepare(to, createWrites(next));
    expect(await applyBatch(redis, [good(), allowed])).toBe('applied');
  });

  it('writes no document over a newer one, and nothing else with it', async () => {
    const partition = await open(await acquire('a'));
    await begin(partition);
    const writes = createWrites(partition);
    const building = await checkpointAt(partition, 'building');
    const to = { ...building.current!, position: at(9) };
    // Revisions are compared as numbers: as texts, 10 would come before 9.
    for (const newer of ['[9]', '[10]']) {
      await redis.hset(writes.documentsKey, 'one', newer);
      const before = await dump();
      expect(await applyBatch(redis, [building.prepare(to, writes)])).toBe('outdated');
      expect(await dump()).toEqual(before);
    }
    await redis.hset(writes.documentsKey, 'one', '[8]');
    expect(await applyBatch(redis, [building.prepare(to, writes)])).toBe('applied');
  });

  it('begins nothing anew where Redis was emptied', async () => {
    const { former } = await loseWhile(answer);
    await redis.flushall();
    await former.load();
    await expect(begin(former)).rejects.toMatchObject({ code: 'conflict' });
    expect(await dump()).toEqual({});
  });

  it('lets nothing answer that it has built', async () => {
    const { former, next } = await loseWhile(async () => undefined);
    const before = await dump();
    await expect(answer(former)).rejects.toMatchObject({ code: 'conflict' });
    expect(await dump()).toEqual(before);
    const { epoch } = next.at('building')!.checkpoint;
    await answer(next);
    expect(next.at('building')).toBeUndefined();
    expect(next.at('checkpoint')?.checkpoint.epoch).toBe(epoch);
  });

  it('moves no generation where another one has moved them, though it holds the partition', async () => {
    const partition = await open(await acquire('a'));
    await begin(partition);
    await redis.set(partition.keys.former, 'another');
    await expect(answer(partition)).rejects.toMatchObject({ code: 'conflict' });
    expect(await redis.exists(partition.keys.checkpoint)).toBe(0);
  });

  it('deletes nothing of older generations', async () => {
    const { former, next } = await loseWhile(answer);
    await redis.hset(keys.generation('older').documents, 'one', '[1]');
    const before = await dump();
    const held = (partition: ReadModelPartition) => [{ keys, fence: partition.fence }];
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
  /** Applies a batch with a document to the generation that is built. */
  async function feed(partition: ReadModelPartition) {
    const building = await checkpointAt(partition, 'building');
    const to = { ...building.current!, position: at(9) };
    expect(await applyBatch(redis, [building.prepare(to, createWrites(partition))])).toBe(
      'applied',
    );
    await partition.load();
  }

  it('stay as long as they answer, are built or are kept', async () => {
    const lease = await acquire('a');
    const partition = await open(lease);
    await begin(partition);
    await feed(partition);
    await answer(partition);
    await begin(partition, 2);
    await feed(partition);
    const { layoutId } = LEDGER;
    await partition.take({ kind: 'swap', from: 'building', keepsFormer: true }, layoutId);
    await begin(partition, 3);
    await feed(partition);
    const before = await redis.keys('*:d');
    expect(before).toHaveLength(3);
    const held = [{ keys, fence: lease.fence }];
    await deleteLeftovers(redis, layoutId, held, going);
    expect((await redis.keys('*:d')).sort()).toEqual(before.sort());
    await partition.take({ kind: 'drop', from: 'former' }, layoutId);
    await deleteLeftovers(redis, layoutId, held, going);
    expect(await redis.keys('*:d')).toHaveLength(2);
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
      const options = { name: gone.name, projection, keys, fence: lease.fence, cachedDocuments: 1 };
      const partition = new ReadModelPartition(redis, options);
      await begin(partition);
      await answer(partition);
      if (keys.number === 0) await leases.release(lease);
    }
    await touchReadModels(redis, LEDGER, [gone.name]);
    for (const { checkpoint } of own.partitions) {
      const answering = { position: at(1), layoutId: 's', epoch: 'own' };
      await redis.set(checkpoint, encodeCheckpoint(answering));
    }
    const before = await dump();
    await retire();
    expect(await dump()).toEqual(before);
    expect(await redis.zcard(readModelsKey(LEDGER.layoutId))).toBe(1);
    expect(await redis.exists(`${gone.leases.prefix(0)}:lease`)).toBe(0);

    await redis.del(`${gone.leases.prefix(1)}:lease`);
    // Nor are they deleted as long as ours do not answer everywhere in their place.
    const [, second] = own.partitions;
    const stored = await redis.getdel(second!.checkpoint);
    await retire();
    expect(await redis.exists(gone.partitions.map(({ checkpoint }) => checkpoint))).toBe(2);
    await redis.set(second!.checkpoint, stored!);
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
    const left = own.partitions.map(({ checkpoint }) => checkpoint);
    expect((await redis.keys('*')).sort()).toEqual(left.sort());
  });
});
