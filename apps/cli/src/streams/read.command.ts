import process from 'node:process';
import { Option, SubCommand } from 'nest-commander';
import { connectEventStore } from '#event-store';
import { Fault, readConfig, variables } from '#platform';
import { CliCommand } from '../cli-command.js';
import { CliError } from '../cli-error.js';

interface ReadOptions {
  readonly json?: boolean;
}

@SubCommand({
  name: 'read',
  arguments: '<stream>',
  description: 'print every fact of a stream, oldest first; needs EVENTSTOREDB_URL',
})
export class ReadStream extends CliCommand {
  async run([streamName = '']: string[], options: ReadOptions): Promise<void> {
    const { eventStoreUrl } = readConfig(process.env, { eventStoreUrl: variables.eventStoreUrl });
    // Without a list of known types it reads what newer releases wrote, too.
    const store = connectEventStore(eventStoreUrl);
    try {
      let count = 0;
      for await (const fact of store.readStream(streamName)) {
        count += 1;
        const { revision, type, data, metadata } = fact;
        const head = `${revision}  ${metadata.occurredAt}  ${type}  ${metadata.actor}`;
        const text = `${head}\n    ${JSON.stringify(data)}`;
        console.log(options.json === true ? JSON.stringify(fact) : text);
      }
      if (count === 0) throw new CliError(`There is no stream ${JSON.stringify(streamName)}.`);
    } catch (error) {
      if (error instanceof Fault) throw new CliError(`${error.message}.`);
      throw error;
    } finally {
      await store.dispose();
    }
  }

  @Option({ flags: '--json', description: 'print one JSON object a line' })
  parseJson(): boolean {
    return true;
  }
}
