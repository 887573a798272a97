import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Redis } from 'ioredis';
import { type RunningRedis, startRedis } from '../../../../test/support/redis.js';
import { encodeCheckpoint } from '../stored/checkpoint.js';
import { type GenerationPlace, openReadModel } from '../stored/keys.js';
import { compareCounts } from './compare-counts.js';

const readModel = openReadModel('visits.1.abc', { layoutId: 'store-1', partitions: 1 });
const [keys] = readModel.partitions;
if (keys === undefined) throw new Error('there is a partition');
const placed = (place: GenerationPlace) => ({ number: 0, keys, checkpointKey: keys[place] });
const PAIR = { built: placed('building'), answering: placed('checkpoint') };
const SAME_VERSION = { exempt: [], isOtherVersion: false };

describe('the counts of two generations', () => {
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

  /** A generation with so many documents, and so many entries by the names of lists. */
  async function write(
    place: GenerationPlace,
    { applied = 9, documents = 2, lists = {} as Record<string, number> },
  ): Promise<void> {
    const checkpoint = { position: '9', layoutId: 'store-1', epoch: place, applied };
    await redis.set(keys![place], encodeCheckpoint(checkpoint));
    const generation = keys!.generation(place);
    for (let id = 0; id < documents; id += 1) await redis.hset(generation.documents, `${id}`, '[]');
    for (const [name, count] of Object.entries(lists)) {
      await redis.hset(generation.counts, name, count);
    }
  }

  const compare = (options = {}) => compareCounts(redis, PAIR, { ...SAME_VERSION, ...options });

  it('say nothing while both stand at different events, or one of them is gone', async () => {
    await write('checkpoint', { applied: 9 });
    expect(await compare()).toBeUndefined();
    await write('building', { applied: 8 });
    expect(await compare()).toBeUndefined();
    await write('building', { applied: 9 });
    expect(await compare()).toEqual([]);
  });

  it('name each list, and the documents, of which there are others', async () => {
    await write('checkpoint', { documents: 3, lists: { app: 3, status: 3, gone: 1 } });
    await write('building', { documents: 2, lists: { app: 3, status: 2 } });
    expect(await compare()).toEqual([
      'partition 0 has 2 documents where 3 answer',
      'partition 0 has 2 entries of the list status where 3 answer',
      'partition 0 has 0 entries of the list gone where 1 answer',
    ]);
  });

  it('of a list without an entry are those of a list that never had one', async () => {
    await write('checkpoint', { lists: { app: 2, gone: 0 } });
    await write('building', { lists: { app: 2 } });
    expect(await compare()).toEqual([]);
  });

  it('of another version are compared in lists that both have, but for those it means to change', async () => {
    await write('checkpoint', { lists: { app: 2, status: 2, gone: 2 } });
    await write('building', { lists: { app: 1, status: 1, new: 1 } });
    const found = await compare({ isOtherVersion: true, exempt: ['status'] });
    expect(found).toEqual(['partition 0 has 1 entries of the list app where 2 answer']);
  });
});
