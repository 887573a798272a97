import { SubCommand } from 'nest-commander';
import { describeReadModels } from '#read-model-operations';
import { print } from '../output.js';
import type { StoreCommandOptions } from '../store-command.js';
import { printReadModels } from './list-text.js';
import { ReadModelsCommand } from './read-models-command.js';

@SubCommand({
  name: 'list',
  description:
    'list the read models of this release and of others, with the state, the place and the size of each generation',
})
export class ListReadModels extends ReadModelsCommand {
  async run(_: string[], options: StoreCommandOptions): Promise<void> {
    const { formerKeptMs } = this;
    await this.withReadModels(options, async (ledger) => {
      const report = await describeReadModels(ledger, { formerKeptMs });
      print(options.json, report, printReadModels(report));
    });
  }
}
