import { SubCommand } from 'nest-commander';
import { CliError } from '../cli-error.js';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { checkStore, describeCheck } from './store-check.js';

@SubCommand({
  name: 'check',
  description: 'whether the event store has all that a ledger needs; writes nothing',
})
export class CheckStore extends StoreCommand {
  async run(_: string[], options: StoreCommandOptions): Promise<void> {
    const found = await this.withStore(options, checkStore);
    print(options.json, found, describeCheck(found));
    if (found.isUsable) return;
    const unfit = 'The event store does not give the ledger all that it needs.';
    const notOpen =
      found.movedTo === null
        ? 'Nothing is missing but the namespace.'
        : 'The ledger is in another event store now.';
    throw new CliError(found.isFit ? notOpen : unfit, 'refused');
  }
}
