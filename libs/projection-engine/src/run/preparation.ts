import type { Position } from '#domain/event';
import { type LedgerStore, requireSameLedger } from '#event-store';
import type { Log } from '#platform';
import type { LedgerIdentity } from '../stored/keys.js';
import type { PartitionDocuments } from '../partition/partition-documents.js';
import { projectorMetrics } from '../metrics.js';

export interface PreparationParts {
  readonly store: Pick<LedgerStore, 'hasEventAt' | 'headPosition' | 'namespaces'>;
  readonly identity: LedgerIdentity;
  readonly log: Log;
}

/**
 * Looks up the states of read models, and begins to build those that do not answer: at a first start, after a raised
 * version, or when Redis has lost them. Nothing is deleted.
 *
 * @throws Fault of store or Redis; StoreExchanged.
 */
export async function preparePartitions(
  { store, identity, log }: PreparationParts,
  partitions: readonly PartitionDocuments[],
): Promise<void> {
  // The keys name the store: another one's events at the same address must not get under them.
  await requireSameLedger(store, identity);
  await Promise.all(partitions.map((partition) => partition.load()));
  const head = await store.headPosition();
  const missing: PartitionDocuments[] = [];
  for (const partition of partitions) {
    if (await isMissing(partition, head, store)) missing.push(partition);
  }
  if (missing.length === 0) return;
  const names = [...new Set(missing.map(({ projection }) => projection.name))];
  const details = {
    readModels: names,
    partitions: new Set(missing.map((each) => each.number)).size,
  };
  log.warn({ ...details, head }, 'read models are being built from the event store');
  projectorMetrics.rebuilds.inc(missing.length);
  await Promise.all(missing.map((partition) => partition.build(identity.layoutId)));
}

async function isMissing(
  { answering, building: { current } }: PartitionDocuments,
  head: Position,
  store: PreparationParts['store'],
): Promise<boolean> {
  if (current === undefined) return answering.current === undefined;
  // A generation that was being built from a store that has lost events since is begun anew.
  return current.position > head && !(await store.hasEventAt(current.position));
}
