import { appendBackup, backupStream, readBackup, readPages } from '#checkpoint-backup';
import { type NamespaceIdentity, Partitions, toMoved } from '#event-store';
import { CliError } from '../../cli-error.js';
import { CopiedPlaces } from './copied-places.js';
import type { CopiedStores } from './copied-stores.js';
import { CopyLog } from './copy-log.js';
import { describeTarget } from './moved-ledger.js';
import { translateBackup } from './translate-backup.js';

const ACTOR = 'process:copy_store';

/** @throws CliError where a worker has not worked yet since the ledger was divided anew; Fault. */
export async function requireWorkedOn(
  { source }: CopiedStores,
  { layoutId, partitions, before }: NamespaceIdentity,
): Promise<void> {
  if (before === null) return;
  for (const partition of new Partitions(partitions).numbers) {
    const { backup } = await readBackup(source, backupStream(layoutId, partition));
    if (backup === undefined) throw notWorkedOn(partition);
  }
}

/** Before the target is opened, so that there never are two ledgers (decision 0014). @throws Fault. */
export async function closeSource(
  stores: CopiedStores,
  identity: NamespaceIdentity,
): Promise<void> {
  const { source } = stores;
  await source.namespaces.moveAway(await describeTarget(stores, identity));
}

/**
 * Makes the target the ledger: workers find there how far they are, in its own positions, and the namespace is
 * open. Begun again after an interruption, it does the same (decision 0014).
 *
 * @param identity of the source, which is closed, and of which the target has everything.
 * @throws Fault.
 */
export async function openTarget(
  stores: CopiedStores,
  identity: NamespaceIdentity,
): Promise<NamespaceIdentity> {
  const { source, target } = stores;
  const { namespace, layoutId, partitions } = identity;
  const log = await CopyLog.open(target, identity);
  const places = new CopiedPlaces(stores, namespace, log);
  const moved = toMoved(identity);
  for (const partition of new Partitions(partitions).numbers) {
    const { backup } = await readBackup(source, backupStream(layoutId, partition));
    if (backup === undefined) continue;
    const translated = await translateBackup(backup, places);
    const stream = backupStream(moved.layoutId, partition);
    const { revision } = await readPages(target, stream);
    await appendBackup(target, stream, { revision, backup: translated, actor: ACTOR });
  }
  return target.namespaces.moveIn(identity);
}

/** The streams that it writes into the target, and the source has not: `$$` and more may stand before. */
export function switchStreams(identity: NamespaceIdentity): RegExp {
  const layoutId = toMoved(identity).layoutId.replaceAll('.', '\\.');
  return new RegExp(`^(?:\\$\\$)?[^.]*\\.delivery_checkpoint-[^.]*\\.${layoutId}\\.\\d+$`);
}

function notWorkedOn(partition: number): CliError {
  return new CliError(
    `No worker has worked on partition ${partition} since the ledger was divided anew or restored: ` +
      'start the workers on the source for a minute, stop them, and switch then.',
  );
}
