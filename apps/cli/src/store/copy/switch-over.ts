import { type NamespaceIdentity, toMoved } from '#event-store';
import { appendBackup, backupStream, readBackups, readPages } from '#worker-state';
import { CliError } from '../../cli-error.js';
import { CopiedPlaces } from './copied-places.js';
import type { CopiedStores } from './copy-windows.js';
import { CopyLog } from './copy-log.js';
import { describeTarget } from './moved-ledger.js';
import { translateBackup } from './translate-backup.js';

const ACTOR = 'process:copy_store';

/** @throws CliError where a worker has not worked yet since the ledger was divided anew; Fault. */
export async function requireWorkedOn(
  { source }: CopiedStores,
  identity: NamespaceIdentity,
): Promise<void> {
  if (identity.before === null) return;
  for (const [partition, backup] of (await readBackups(source, identity)).entries()) {
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
  const log = await CopyLog.open(target, identity);
  const places = new CopiedPlaces(stores, identity.namespace, log);
  const moved = toMoved(identity);
  for (const [partition, backup] of (await readBackups(source, identity)).entries()) {
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
