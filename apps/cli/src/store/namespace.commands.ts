import { SubCommand } from 'nest-commander';
import { MAX_PARTITIONS } from '#event-store';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { StoreCommand, type StoreCommandOptions } from '../store-command.js';

/** @param name of the number on the command line. @throws CliError `usage`. */
function parsePartitions(text: string | undefined, name: string): number {
  const partitions = Number(text);
  if (Number.isInteger(partitions) && partitions >= 1 && partitions <= MAX_PARTITIONS) {
    return partitions;
  }
  throw new CliError(`${name} must be a number from 1 to ${MAX_PARTITIONS}.`, 'usage');
}

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
@Options({
  '--partitions <number>': [
    `into how many the work is divided, 1 to ${MAX_PARTITIONS} (${DEFAULT_PARTITIONS})`,
    parsePartitions,
  ],
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
}

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
