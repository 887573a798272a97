import type { LedgerStore } from '#event-store';
import { type Log, sleep } from '#platform';
import type { Redis } from '#redis';
import { clearPartitions } from './clearing.js';
import type { Namespace } from './keys.js';
import { requireSameLedger } from './ledger-watch.js';
import { AHEAD_RECHECK_MS } from './limits.js';
import type { Partition } from './partition.js';
import { projectorMetrics } from './projector-metrics.js';
import { findRebuildReason } from './rebuild-reason.js';

export interface PreparationParts {
  readonly store: Pick<LedgerStore, 'headPosition' | 'namespaces'>;
  readonly redis: Redis;
  readonly namespace: Namespace;
  readonly log: Log;
}

/**
 * Sees where partitions stand, and clears those that cannot go on from there: they are built anew.
 *
 * @throws Fault of store or Redis; StoreExchanged.
 */
export async function preparePartitions(
  parts: PreparationParts,
  partitions: readonly Partition[],
): Promise<void> {
  const { store, redis, namespace, log } = parts;
  // The keys name the store: what another one at the same address says must not get under them.
  await requireSameLedger(store, namespace);
  await Promise.all(partitions.map((partition) => partition.load()));
  let head = await store.headPosition();
  const findReason = ({ checkpoint }: Partition) => findRebuildReason(checkpoint, head);
  if (partitions.some((partition) => findReason(partition) === 'ahead_of_store')) {
    await sleep(AHEAD_RECHECK_MS);
    head = await store.headPosition();
  }
  const unfit = partitions.filter((partition) => findReason(partition) !== undefined);
  for (const partition of unfit) {
    const { keys, checkpoint } = partition;
    const details = {
      reason: findReason(partition),
      partition: keys.number,
      namespace: keys.prefix,
    };
    const stand = { checkpoint: checkpoint.stored, head };
    log.warn({ ...details, ...stand }, 'the read models are being rebuilt from the event store');
    projectorMetrics.rebuilds.inc();
  }
  await clearPartitions(redis, namespace, unfit);
}
