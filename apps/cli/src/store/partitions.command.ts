import { SubCommand } from 'nest-commander';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { parsePartitions } from './parse-partitions.js';

@SubCommand({
  name: 'partitions',
  arguments: '<number>',
  description: 'divide the namespace anew (1 to 64); stop all of its programs before',
})
export class RepartitionStore extends StoreCommand {
  async run([number]: string[], options: StoreCommandOptions): Promise<void> {
    const wanted = parsePartitions(number, 'The number of partitions');
    await this.withStore(options, async ({ namespaces }) => {
      const { namespace, storeId, partitions, before } = await namespaces.repartition(wanted);
      const said =
        `The namespace "${namespace}" has ${partitions} partitions now. Start its programs again: ` +
        'the content of Redis is built anew.';
      console.log(
        options.json === true
          ? JSON.stringify({ namespace, storeId, partitions, before: before?.partitions ?? null })
          : said,
      );
    });
  }
}
