import type { LedgerStore } from '#event-store';
import { type Backup, readBackup } from '#worker-state';
import { eventually } from '../../support/eventually.js';

/** Waits until the backup in a stream of the event store says so. */
export function untilBackedUp(
  store: LedgerStore,
  stream: string,
  says: (backup: Backup) => boolean,
  limit: { readonly limitMs?: number } = {},
): Promise<void> {
  const isSaid = async () => {
    const { backup } = await readBackup(store, stream);
    return backup !== undefined && says(backup);
  };
  return eventually(isSaid, { what: 'the backup', ...limit });
}
