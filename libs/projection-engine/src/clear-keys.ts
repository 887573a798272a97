import { loadScript, type Redis } from '#redis';
import { type Fence, runFenced } from './leases/leases.js';

const clearKeysScript = loadScript(new URL('./lua/clear-keys-n.lua', import.meta.url));

/** Deletes keys of a partition that this process holds. @throws Fenced where it holds it no more; Fault of Redis. */
export async function clearKeys(
  redis: Redis,
  fence: Fence,
  keys: readonly string[],
): Promise<void> {
  await runFenced(redis, fence, clearKeysScript, { keys, args: [] });
}
