import type { Redis } from 'ioredis';

/** All that stands in Redis, but for leases and for when read models were last used. */
export async function dumpReadModels(redis: Redis): Promise<Record<string, string>> {
  const isKept = (key: string) => !key.includes(':projector:') && !key.endsWith(':in-use');
  const keys = (await redis.keys('*')).filter(isKept);
  const stored = await Promise.all(keys.map((key) => redis.dumpBuffer(key)));
  return Object.fromEntries(keys.map((key, n) => [key, stored[n]?.toString('hex') ?? '']));
}
