import { SubCommand } from 'nest-commander';
import { openReadModel, placedIn } from '#projection-engine';
import type { Projection } from '#projection-engine/define';
import { describeReadModels, type NamedReadModel } from '#read-model-operations';
import { verifyFull, type VerificationReport, verifySample } from '#verification';
import { wholeNumber } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { type ShareBar, withBar } from '../progress-bar.js';
import type { StoreCommandOptions } from '../store-command.js';
import {
  type OpenedLedger,
  ReadModelsCommand,
  requireOwnReadModel,
} from './read-models-command.js';
import { type ChosenGeneration, chooseGenerations } from './verified-generations.js';
import { printVerification } from './verify-text.js';

/** As many as the gate compares. */
const DEFAULT_SAMPLE = 1_000;

interface VerifyOptions extends StoreCommandOptions {
  readonly sample?: number;
  readonly full?: boolean;
  readonly generation?: number;
}

@SubCommand({
  name: 'verify',
  arguments: '<name>',
  description:
    'fold the streams by the domain and compare documents and list entries with a read model; ends with 1 and names the ' +
    'differences, if there are any. The ledger may be in use',
})
@Options({
  '--sample <documents>': [
    `compare so many documents, drawn by chance (${DEFAULT_SAMPLE} without it)`,
    wholeNumber,
  ],
  '--full': 'compare all documents and all list entries, both ways',
  '--generation <number>': [
    'this generation; without it the one that answers, and the one that waits for its swap',
    wholeNumber,
  ],
})
export class VerifyReadModel extends ReadModelsCommand {
  async run([name = '']: string[], options: VerifyOptions): Promise<void> {
    if (options.full === true && options.sample !== undefined) {
      throw new CliError('--full and --sample do not go together.', 'usage');
    }
    const { formerKeptMs } = this;
    await this.withReadModels(options, async (ledger) => {
      const named = await requireOwnReadModel(ledger, name);
      const { readModels } = await describeReadModels(ledger, {
        ...{ formerKeptMs, only: named.readModel },
      });
      const generations = readModels[0]?.generations ?? [];
      const chosen = chooseGenerations(generations, ledger.identity.partitions, options.generation);
      let found = 0;
      for (const generation of chosen) found += await verifyOne(ledger, named, generation, options);
      if (found === 0) return;
      const message = `${named.readModel} is not as the domain has it: ${found} differences.`;
      throw new CliError(message, 'refused', [], 'READ_MODEL_DIFFERS');
    });
  }
}

/** @returns the number of its differences. */
async function verifyOne(
  ledger: OpenedLedger,
  { readModel, ofThisRelease: projection }: NamedReadModel,
  { generation, state, place }: ChosenGeneration,
  options: VerifyOptions,
): Promise<number> {
  if (projection?.recipe === undefined) {
    throw new CliError(`${readModel} has no documents that the domain could make otherwise.`);
  }
  const partitions = placedIn(openReadModel(readModel, ledger.identity), place);
  const report = await withBar(`comparing generation ${generation}`, (bar) =>
    verify(ledger, { projection, partitions }, options, bar),
  );
  print(
    options.json,
    { readModel, generation, state, ...report },
    printVerification({ readModel, generation, state, report }),
  );
  return report.total;
}

function verify(
  { store, redis }: OpenedLedger,
  compared: {
    readonly projection: Projection<unknown>;
    readonly partitions: ReturnType<typeof placedIn>;
  },
  { full: isFull = false, sample: count = DEFAULT_SAMPLE }: VerifyOptions,
  bar: ShareBar,
): Promise<VerificationReport> {
  const common = {
    ...{ store, redis, ...compared, signal: new AbortController().signal },
    onProgress: ({ checked, total }: { readonly checked: number; readonly total: number }) =>
      bar.draw(total === 0 ? 1 : checked / total),
  };
  return isFull ? verifyFull(common) : verifySample({ ...common, count });
}
