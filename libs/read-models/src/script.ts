import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Redis } from 'ioredis';
import { answerOf } from './redis.js';

/** One atomic act: a Lua file, run by its hash. */
export type Script = (
  redis: Redis,
  keys: readonly string[],
  args: readonly string[],
) => Promise<unknown>;

/** @param file its name in `lua/`, where its header says what it takes and gives. */
export function loadScript(file: string): Script {
  const lua = readFileSync(new URL(`./lua/${file}`, import.meta.url), 'utf8');
  const hash = createHash('sha1').update(lua).digest('hex');
  return async (redis, keys, args) => {
    try {
      return await redis.evalsha(hash, keys.length, ...keys, ...args);
    } catch (error) {
      // A Redis that was restarted has forgotten it.
      if (!(error instanceof Error) || !error.message.startsWith('NOSCRIPT')) {
        return answerOf(Promise.reject(error as Error));
      }
      return answerOf(redis.eval(lua, keys.length, ...keys, ...args));
    }
  };
}
