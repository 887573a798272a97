/**
 * The space of a subscription with twelve payments, in the event store and in Redis. The limits are the goals: a ratio
 * above 1 is more than that.
 */
import type { BenchOptions, BenchResult } from './benchmark.js';
import { measureRedis } from './footprint-redis.js';
import { measureStore } from './footprint-store.js';

export const description =
  'bytes that a subscription with twelve payments takes in the event store (at most 32 kB) and in Redis (8 kB)';

const SUBSCRIPTIONS = 200;
const STORE_GOAL_BYTES = 32_000;
/** More of them, since hash tables grow in steps. */
const SUBSCRIPTIONS_IN_REDIS = 2_000;
const REDIS_GOAL_BYTES = 8_000;

export async function run(_options: BenchOptions): Promise<BenchResult> {
  const redis = await measureRedis(SUBSCRIPTIONS_IN_REDIS);
  const { bytes, ...store } = await measureStore(SUBSCRIPTIONS);
  const inRedis = { ...redis, ratio: Number((redis.bytes / REDIS_GOAL_BYTES).toFixed(3)) };
  const extra = { ...store, redis: inRedis };
  return { value: bytes, limit: STORE_GOAL_BYTES, unit: 'bytes', extra };
}
