import { SubCommand } from 'nest-commander';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

@SubCommand({
  name: 'restored',
  description:
    'say that the event store was restored from a backup; stop all of its programs before',
})
export class NoteRestore extends StoreCommand {
  async run(_: string[], options: StoreCommandOptions): Promise<void> {
    await this.withStore(options, async ({ namespaces }) => {
      const { namespace, storeId, partitions } = await namespaces.noteRestore();
      const said =
        'All ledgers of this event store go on from its events. Start their programs: the content of Redis ' +
        'is built anew.';
      print(options.json, { namespace, storeId, partitions }, said);
    });
  }
}
