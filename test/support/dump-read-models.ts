import type { Redis } from 'ioredis';
import { readContents } from './redis-contents.js';

/** All that stands in Redis, but for leases and for when read models were last used. */
export async function dumpReadModels(redis: Redis): Promise<Record<string, string>> {
  const isKept = (key: string) => !key.includes(':projector:') && !key.endsWith(':in-use');
  const keys = (await redis.keys('*')).filter(isKept);
  return Object.fromEntries(await readContents(redis, keys));
}
