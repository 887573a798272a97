import { SubCommand } from 'nest-commander';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';
import { noSuchStream } from './no-such-stream.js';

@SubCommand({
  name: 'read',
  arguments: '<stream>',
  description: 'print every event of a stream, oldest first, such as subscription-sub_01...',
})
export class ReadStream extends StoreCommand {
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
      if (count === 0) throw noSuchStream(streamName);
    });
  }
}
