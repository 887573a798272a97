import { type Redis, redisReply } from '#redis';
import { type Checkpoint, decodeCheckpoint } from './checkpoint.js';
import {
  type LedgerIdentity,
  openReadModel,
  type PartitionKeys,
  type GenerationPlace,
  PLACES,
  type ReadModel,
  readModelsKey,
} from './keys.js';

/** The generations of a read model in one partition, by their places. */
export interface StoredGenerations {
  readonly keys: PartitionKeys;
  readonly places: { readonly [place in GenerationPlace]: Checkpoint | undefined };
}

/** Reads the places of a read model in each partition. @throws Fault of Redis. */
export async function readGenerations(
  redis: Redis,
  { partitions }: ReadModel,
): Promise<StoredGenerations[]> {
  return Promise.all(
    partitions.map(async (keys) => {
      const stored = await redisReply(redis.mget(PLACES.map((place) => keys[place])));
      const [checkpoint, building, former] = stored.map(decodeCheckpoint);
      return { keys, places: { checkpoint, building, former } };
    }),
  );
}

/** The names of the read models of a ledger that were in use, with the time of their last use in milliseconds. */
export async function listReadModels(
  redis: Redis,
  { layoutId }: LedgerIdentity,
): Promise<{ readonly name: string; readonly usedAtMs: number }[]> {
  const found = await redisReply(redis.zrange(readModelsKey(layoutId), '0', '-1', 'WITHSCORES'));
  return Array.from({ length: found.length / 2 }, (_, at) => ({
    name: found[2 * at] ?? '',
    usedAtMs: Number(found[2 * at + 1]),
  }));
}

/** The name of the projection of a read model: names of projections have no dot. */
export function nameProjection(readModel: string): string {
  return readModel.slice(0, readModel.indexOf('.'));
}

/** In how many partitions a generation answers. @throws Fault of Redis. */
export async function countAnswering(redis: Redis, readModel: ReadModel): Promise<number> {
  const found = await readGenerations(redis, readModel);
  return found.filter(({ places }) => places.checkpoint !== undefined).length;
}

/** Another version of the projection that answers everywhere, the last one in use; undefined for none. @throws Fault. */
export async function findOtherVersion(
  redis: Redis,
  ledger: LedgerIdentity,
  own: string,
): Promise<ReadModel | undefined> {
  const listed = await listReadModels(redis, ledger);
  for (const { name } of listed.reverse()) {
    if (name === own || nameProjection(name) !== nameProjection(own)) continue;
    const other = openReadModel(name, ledger);
    if ((await countAnswering(redis, other)) === other.partitions.length) return other;
  }
  return undefined;
}
