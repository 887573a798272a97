import { Option, SubCommand } from 'nest-commander';
import { MAX_PARTITIONS } from '#event-store';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { parsePartitions } from './parse-partitions.js';

/** Enough for as many workers as a ledger is likely to have (rules/storage 5). */
const DEFAULT_PARTITIONS = 16;

interface InitOptions extends StoreCommandOptions {
  readonly partitions?: number;
}

@SubCommand({
  name: 'init',
  description:
    'open the namespace (STREAM_NAMESPACE) in the event store; an open one stays as it is',
})
export class InitStore extends StoreCommand {
  async run(_: string[], options: InitOptions): Promise<void> {
    await this.withStore(options, async ({ namespaces }) => {
      const wanted = options.partitions ?? DEFAULT_PARTITIONS;
      const { namespace, storeId, partitions } = await namespaces.open(wanted);
      const said = `The namespace "${namespace}" is open, with ${partitions} partitions (store ${storeId}).`;
      console.log(
        options.json === true ? JSON.stringify({ namespace, storeId, partitions }) : said,
      );
    });
  }

  @Option({
    flags: '--partitions <number>',
    description: `into how many the work is divided, 1 to ${MAX_PARTITIONS} (${DEFAULT_PARTITIONS})`,
  })
  parsePartitions(value: string): number {
    return parsePartitions(value, '--partitions');
  }
}
