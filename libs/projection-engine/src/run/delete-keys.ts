import { loadScript, type Redis, walkKeys } from '#redis';
import { type Fence, runFenced } from '../leases/leases.js';
import { CLEARING_STEP } from '../limits.js';
import { type PartitionKeys, readPrefix } from '../stored/keys.js';

const clearKeysScript = loadScript(new URL('../lua/clear-keys-n.lua', import.meta.url));

/** A read model's partition that this process may change. */
export interface HeldPartition {
  readonly keys: PartitionKeys;
  readonly fence: Fence;
}

/** Deletes keys of a partition that this process holds. @throws Fenced where it holds it no more; Fault of Redis. */
export async function clearKeys(
  redis: Redis,
  fence: Fence,
  keys: readonly string[],
): Promise<void> {
  await runFenced(redis, fence, clearKeysScript, { keys, args: [] });
}

/**
 * Walks through Redis in small steps, and deletes those keys of held partitions that match and for which
 * `isDeleted` holds. An aborted walk ends early.
 *
 * @throws as `clearKeys` does.
 */
export async function sweepKeys(
  redis: Redis,
  { pattern, signal }: { readonly pattern: string; readonly signal: AbortSignal },
  held: readonly HeldPartition[],
  isDeleted: (partition: HeldPartition, key: string) => boolean = () => true,
): Promise<void> {
  const byPrefix = new Map(held.map((partition) => [partition.keys.prefix, partition]));
  for await (const found of walkKeys(redis, pattern, CLEARING_STEP)) {
    const deleted = new Map<HeldPartition, string[]>();
    for (const key of found) {
      const partition = byPrefix.get(readPrefix(key));
      if (partition === undefined || !isDeleted(partition, key)) continue;
      deleted.set(partition, [...(deleted.get(partition) ?? []), key]);
    }
    for (const [{ fence }, keys] of deleted) await clearKeys(redis, fence, keys);
    if (signal.aborted) return;
  }
}
