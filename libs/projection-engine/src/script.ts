import { loadLua, type Script } from '#redis';
import { answerOf } from './redis.js';

/** @param file its name in `lua/`. @throws as `answerOf` does, when it is run. */
export function loadScript(file: string): Script {
  const run = loadLua(new URL(`./lua/${file}`, import.meta.url));
  return (redis, keys, args) => answerOf(run(redis, keys, args));
}
