import { SubCommand } from 'nest-commander';
import { backupStream, type ParkedEntry, readBackup } from '#checkpoint-backup';
import { type LedgerStore, Partitions } from '#event-store';
import { print, table } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

@SubCommand({
  name: 'list',
  description:
    'list the streams that the workers have parked, as they last wrote them into the event store',
})
export class ListParked extends StoreCommand {
  async run(_: string[], options: StoreCommandOptions): Promise<void> {
    const parked = await this.withStore(options, readParked);
    const rows = parked.map(({ partition, streamName, revision, release, reason }) => [
      String(partition),
      streamName,
      String(revision),
      release,
      reason,
    ]);
    const head = ['partition', 'stream', 'event', 'release', 'reason'];
    const text = rows.length === 0 ? 'Nothing is parked.' : table(head, rows);
    print(options.json, { parked }, text);
  }
}

/** The parked streams of all partitions, in the order of these. @throws Fault of the store. */
async function readParked(
  store: LedgerStore,
): Promise<(ParkedEntry & { readonly partition: number })[]> {
  const { layoutId, partitions } = await store.namespaces.require();
  const found = await Promise.all(
    new Partitions(partitions).numbers.map(async (partition) => {
      const { backup } = await readBackup(store, backupStream(layoutId, partition));
      return [...(backup?.parked.values() ?? [])].map((entry) => ({ partition, ...entry }));
    }),
  );
  return found.flat();
}
