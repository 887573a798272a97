import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from './open-redis.js';
import { redisFailure, redisReply } from './reply.js';

/** One atomic act: a Lua file, run by its hash. Fails as `redisReply` does. */
export type Script = (
  redis: Redis,
  keys: readonly string[],
  args: readonly (string | number)[],
) => Promise<unknown>;

/** @param file whose header names its keys, arguments and result. */
export function loadScript(file: URL): Script {
  const lua = readFileSync(file, 'utf8');
  const hash = createHash('sha1').update(lua).digest('hex');
  // No async function: a read by id is spared a promise of the ten that it takes (docs/performance.md).
  return (redis, keys, args) =>
    redis.evalsha(hash, keys.length, ...keys, ...args).catch((error: unknown) => {
      // A Redis that was restarted has forgotten it.
      const isForgotten = error instanceof Error && error.message.startsWith('NOSCRIPT');
      if (!isForgotten) throw redisFailure(error);
      return redisReply(redis.eval(lua, keys.length, ...keys, ...args));
    });
}
