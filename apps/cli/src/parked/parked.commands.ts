import { SubCommand } from 'nest-commander';
import { requestParkedRetry } from '#event-store';
import { readParked } from '#worker-state';
import { print, table } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

@SubCommand({
  name: 'list',
  description:
    'list the streams that the workers have parked, as they last wrote them into the event store',
})
class ListParked extends StoreCommand {
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

@SubCommand({
  name: 'retry',
  description: 'have all that is parked tried again now; it happens once a minute anyway',
})
class RetryParked extends StoreCommand {
  async run(_: string[], options: StoreCommandOptions): Promise<void> {
    const { position } = await this.withStore(options, async (store) => {
      // A namespace that was never opened has no program that would hear of it.
      await store.namespaces.require();
      return requestParkedRetry(store, 'cli');
    });
    const text =
      'Running programs try parked streams again; "subledger parked list" shows the rest.';
    print(options.json, { requested: true, position }, text);
  }
}

export const commands = [ListParked, RetryParked];
