import { SubCommand } from 'nest-commander';
import { requestParkedRetry } from '#event-store';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

@SubCommand({
  name: 'retry',
  description: 'have all that is parked tried again now; it happens once a minute anyway',
})
export class RetryParked extends StoreCommand {
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
