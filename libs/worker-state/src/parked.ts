import type { LedgerStore } from '#event-store';
import type { ParkedEntry } from './backup.js';
import { readBackups } from './backup-stream.js';

/** The streams that the workers of all partitions have parked, in the order of these. @throws Fault of the store. */
export async function readParked(
  store: LedgerStore,
): Promise<(ParkedEntry & { readonly partition: number })[]> {
  const backups = await readBackups(store, await store.namespaces.require());
  return backups.flatMap((backup, partition) =>
    (backup?.parked ?? []).map((entry) => ({ partition, ...entry })),
  );
}

/** The parked streams of an app, which the first event of each names. @throws Fault of the store. */
export async function findParkedStreams(
  store: LedgerStore,
  appId: string,
): Promise<readonly string[]> {
  const streams: string[] = [];
  for (const { streamName } of await readParked(store)) {
    for await (const { metadata } of store.readStream(streamName, { maxCount: 1 })) {
      if (metadata.appId === appId) streams.push(streamName);
    }
  }
  return streams;
}
