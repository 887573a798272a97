import { openReadModel, readGenerations } from '#projection-engine';
import { listMasters, type Redis, redisReply } from '#redis';
import type { ReadModelLedger } from './ledger.js';
import { addSizes, measureSize } from './stored-size.js';

export interface RedisMemory {
  /** Over all masters of a cluster. */
  readonly usedBytes: number;
  /** Null where Redis has no bound of its own. */
  readonly maxBytes: number | null;
}

/** The memory before a rebuild. */
export interface RebuildMemory extends RedisMemory {
  /** Bytes that the further generation takes about: those of the one that answers. */
  readonly furtherBytes: number;
}

/** Reads the memory of Redis and estimates that of a further generation. @throws Fault of Redis. */
export async function estimateRebuild(
  { redis, identity }: Pick<ReadModelLedger, 'redis' | 'identity'>,
  name: string,
): Promise<RebuildMemory> {
  const stored = await readGenerations(redis, openReadModel(name, identity));
  const sizes = stored.flatMap(({ keys, places: { checkpoint } }) =>
    checkpoint === undefined ? [] : [measureSize(redis, keys, checkpoint)],
  );
  const furtherBytes = addSizes(await Promise.all(sizes)).bytes;
  return { ...(await readMemory(redis)), furtherBytes };
}

async function readMemory(redis: Redis): Promise<RedisMemory> {
  const masters = await redisReply(listMasters(redis));
  const infos = await Promise.all(masters.map((each) => redisReply(each.info('memory'))));
  const sum = (field: string) => infos.reduce((total, info) => total + readField(info, field), 0);
  const maxBytes = sum('maxmemory');
  return { usedBytes: sum('used_memory'), maxBytes: maxBytes === 0 ? null : maxBytes };
}

function readField(info: string, field: string): number {
  return Number(new RegExp(`^${field}:(\\d+)`, 'm').exec(info)?.[1] ?? 0);
}
