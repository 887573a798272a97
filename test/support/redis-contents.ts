import type { Redis } from 'ioredis';

/**
 * The values of these keys as text, by key; a key that is not there has an empty text. Equal values have equal texts,
 * which the bytes of `DUMP` have not: a hash table that grows or shrinks changes its order with each read.
 *
 * @throws Error for a type of value that is none of ours.
 */
export async function readContents(
  redis: Redis,
  keys: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = await Promise.all(keys.map((key) => readContent(redis, key)));
  return new Map(keys.map((key, n) => [key, texts[n] ?? '']));
}

async function readContent(redis: Redis, key: string): Promise<string> {
  const type = await redis.type(key);
  if (type === 'none') return '';
  const read = READERS[type];
  if (read === undefined) throw new Error(`${key} is a ${type}`);
  return `${type} ${JSON.stringify(await read(redis, key))}`;
}

/** Hexadecimal, since documents are bytes and not text. */
const hex = (bytes: Buffer | null | undefined) => bytes?.toString('hex') ?? '';

const READERS: Readonly<Record<string, (redis: Redis, key: string) => Promise<unknown>>> = {
  string: async (redis, key) => hex(await redis.getBuffer(key)),
  list: async (redis, key) => (await redis.lrangeBuffer(key, 0, -1)).map(hex),
  set: async (redis, key) => (await redis.smembersBuffer(key)).map(hex).sort(),
  zset: async (redis, key) => (await redis.zrangeBuffer(key, 0, '-1', 'WITHSCORES')).map(hex),
  hash: async (redis, key) => {
    const fields = (await redis.callBuffer('HGETALL', key)) as Buffer[];
    return fields
      .flatMap((field, n) => (n % 2 ? [] : `${hex(field)} ${hex(fields[n + 1])}`))
      .sort();
  },
};
