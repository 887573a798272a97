/**
 * The memory of a subscription with twelve payments in Redis: all read models and their lists, and the workers' keys.
 * Histories are written as their deciders write them, projector and worker go through them, and the memory that Redis
 * uses is compared before and after.
 */
import { Redis } from 'ioredis';
import type { Position } from '#domain/event';
import type { LedgerStore } from '#event-store';
import { createReadModels, decodeCheckpoint, type ReadModels } from '#projection-engine';
import { projections } from '#projections';
import { eventually } from '../support/eventually.js';
import { WrittenLedger } from '../support/written-ledger.js';
import { progress } from './benchmark.js';
import { writeHistories } from './histories.js';
import { Stage } from './stage.js';

/** Before anything is measured: marks of ended deliveries and events of queues, which are bounded, are full by then. */
const WARM_UP = 600;
const LIMIT_MS = 600_000;
const POLL_MS = 250;
const WORKER_CHECKPOINTS = '*:worker:feed:checkpoint';

export interface RedisFootprint {
  /** Of memory in use, for each subscription. */
  readonly bytes: number;
  /** Of these, the bytes of keys by themselves, by their purpose. */
  readonly byPurpose: Readonly<Record<string, number>>;
}

/** @param subscriptions how many to measure; some hundreds at least, since tables grow in steps. */
export function measureRedis(subscriptions: number): Promise<RedisFootprint> {
  return Stage.with(async (stage) => {
    const { client, identity, redis: server } = stage;
    const { appId } = await new WrittenLedger(client, stage.masterKey, 'production').createApp();
    for (const name of ['projector', 'worker']) await stage.start(name);
    const readModels = createReadModels({ redis: server.url, identity, projections });
    stage.atEnd(() => readModels.close());
    const redis = new Redis(server.url);
    stage.atEnd(() => redis.disconnect());
    return measure({ client, readModels, redis, appId }, subscriptions);
  });
}

interface Place {
  readonly client: LedgerStore;
  readonly readModels: ReadModels;
  readonly redis: Redis;
  readonly appId: string;
}

async function measure(place: Place, subscriptions: number): Promise<RedisFootprint> {
  const { redis } = place;
  await write(place, WARM_UP);
  const before = await readUsedBytes(redis);
  progress(`writing the histories of ${subscriptions} subscriptions`);
  await write(place, subscriptions);
  const bytes = Math.round(((await readUsedBytes(redis)) - before) / subscriptions);
  return { bytes, byPurpose: await readPurposes(redis, subscriptions + WARM_UP) };
}

/** Writes histories, and waits until projector and worker have gone through them. */
async function write({ client, readModels, redis, appId }: Place, count: number): Promise<void> {
  await writeHistories(client, count, { appId });
  const written = await client.headPosition();
  await readModels.waitFor(written, { timeoutMs: LIMIT_MS });
  await eventually(async () => (await readWorkersPosition(redis)) >= written, {
    what: 'the worker behind all events',
    limitMs: LIMIT_MS,
    longestPollMs: POLL_MS,
  });
}

async function readWorkersPosition(redis: Redis): Promise<Position> {
  const keys = await redis.keys(WORKER_CHECKPOINTS);
  const stored = await Promise.all(keys.map((key) => redis.get(key)));
  const positions = stored.map((text) => decodeCheckpoint(text)?.position ?? '');
  return positions.sort()[0] ?? '';
}

async function readUsedBytes(redis: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await redis.info('memory'))?.[1]);
}

/** The bytes of all keys, by the part of their names that says their purpose. */
async function readPurposes(redis: Redis, subscriptions: number): Promise<Record<string, number>> {
  const sums = new Map<string, number>();
  for (const key of await redis.keys('*')) {
    const bytes = await redis.memory('USAGE', key, 'SAMPLES', 0);
    const purpose = findPurpose(key);
    sums.set(purpose, (sums.get(purpose) ?? 0) + (bytes ?? 0));
  }
  const each = [...sums].map(
    ([purpose, sum]) => [purpose, Math.round(sum / subscriptions)] as const,
  );
  return Object.fromEntries(each.filter(([, bytes]) => bytes > 0).sort((a, b) => b[1] - a[1]));
}

/** `payments d` for documents, `payments i:of` for a list of that name, `worker feed` for a worker's own. */
function findPurpose(key: string): string {
  const [, owner = 'other', name = ''] = /^\{[^}]*\}:([^:]+):([^:]+)/.exec(key) ?? [];
  const [, inGeneration = ''] = /^\{[^}]*\}:rm\d+:[^:]+:[^:]+:(d|i:[^:]+|parked)/.exec(key) ?? [];
  return owner.startsWith('rm')
    ? `${name.split('.')[0] ?? ''} ${inGeneration}`
    : `${owner} ${name}`;
}
