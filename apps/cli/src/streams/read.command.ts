import { SubCommand } from 'nest-commander';
import { CliError } from '../cli-error.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { streamsOfId } from './stream-names.js';

@SubCommand({
  name: 'read',
  arguments: '<stream>',
  description: 'print every event of a stream, oldest first, such as subscription-sub_01...',
})
class ReadStream extends StoreCommand {
  async run([streamName = '']: string[], options: StoreCommandOptions): Promise<void> {
    await this.withStore(options, async (store) => {
      let count = 0;
      for await (const event of store.readStream(streamName)) {
        count += 1;
        const { revision, type, data, metadata } = event;
        const head = `${revision}  ${metadata.occurredAt}  ${type}  ${metadata.actor}`;
        const text = `${head}\n    ${JSON.stringify(data)}`;
        console.log(options.json === true ? JSON.stringify(event) : text);
      }
      if (count === 0) throw missing(streamName);
    });
  }
}

function missing(streamName: string): CliError {
  const names = streamsOfId(streamName);
  const hint = names.length === 0 ? '' : ` Did you mean ${names.join(' or ')}?`;
  return new CliError(`There is no stream ${JSON.stringify(streamName)}.${hint}`);
}

export const commands = [ReadStream];
