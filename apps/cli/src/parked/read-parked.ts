import type { LedgerStore } from '#event-store';
import { type ParkedEntry, readBackups } from '#worker-state';

/** The streams that the workers of all partitions have parked, in the order of these. @throws Fault of the store. */
export async function readParked(
  store: LedgerStore,
): Promise<(ParkedEntry & { readonly partition: number })[]> {
  const backups = await readBackups(store, await store.namespaces.require());
  return backups.flatMap((backup, partition) =>
    (backup?.parked ?? []).map((entry) => ({ partition, ...entry })),
  );
}
