import { loadLua, type Script } from '#redis';
import { ofRedis } from './connect.js';

/** @param file its name in `lua/`. @throws as `ofRedis` does, when it is run. */
export function loadScript(file: string): Script {
  const run = loadLua(new URL(`./lua/${file}`, import.meta.url));
  return (redis, keys, args) => ofRedis(run(redis, keys, args));
}
