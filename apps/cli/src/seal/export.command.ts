import { SubCommand } from 'nest-commander';
import { type ExportedSeals, exportSeals } from '#seal-audit';
import { CliError } from '../cli-error.js';
import { orUnwritable } from '../files.js';
import { print } from '../output.js';
import { withBar } from '../progress-bar.js';
import type { StoreCommandOptions } from '../store-command.js';
import { SealCommand } from './seal-command.js';

@SubCommand({
  name: 'export',
  arguments: '<dir>',
  description:
    'write the last checkpoint, all tiles and the lines of all events into a directory for auditors (C2SP tlog-tiles); into one that has some, those that are new. Lines have pseudonyms and ids of all apps: it is not for a studio',
})
export class ExportSeals extends SealCommand {
  async run([directory = '']: string[], options: StoreCommandOptions): Promise<void> {
    const exported = await this.withStore(options, async (store) => {
      await this.requireLast(store);
      return orUnwritable(directory, () =>
        withBar('exporting', (bar) => exportSeals(store, directory, (share) => bar.draw(share))),
      );
    });
    if (exported === undefined) throw new CliError('This ledger has no checkpoint yet.');
    if (exported.isForeign) throw foreign(directory, exported);
    print(options.json, exported, describe(directory, exported));
    if (exported.differences > 0) throw different(exported);
  }
}

function describe(directory: string, { size, formerSize, tiles, erased }: ExportedSeals): string {
  const lines = erased.reduce((sum, { leaves }) => sum + leaves, 0);
  const left =
    lines === 0 ? '' : ` The lines of ${lines} events are gone, since players were erased.`;
  return `${directory} has ${size} leaves, ${size - formerSize} of them new, in ${tiles} new tiles.${left}`;
}

function foreign(directory: string, { origin, size }: ExportedSeals): CliError {
  const message =
    `${directory} has a checkpoint that is not of ${origin} with its ${size} leaves: of another log, or of another history ` +
    'of this one. Nothing was written. To compare both: subledger seal verify --against ' +
    directory;
  return new CliError(message, 'refused', [], 'FOREIGN_BUNDLE');
}

function different({ differences, formerSize }: ExportedSeals): CliError {
  const where =
    formerSize > 0
      ? 'its checkpoint stays the former one'
      : 'the directory has the events as they are stored';
  const message = `${differences} events are not as they were sealed; ${where}. To name them: subledger seal verify`;
  return new CliError(message, 'refused', [], 'LEDGER_DIFFERS');
}
