import { SubCommand } from 'nest-commander';
import { estimateRebuild, type NamedReadModel, type RebuildMemory } from '#read-model-operations';
import { wholeNumber } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { REASON } from '../reason.js';
import type { ActOptions } from './act.commands.js';
import { decideHere } from './act.js';
import {
  type OpenedLedger,
  ReadModelsCommand,
  requireOwnReadModel,
} from './read-models-command.js';
import { sayBytes } from './sizes.js';

interface RebuildOptions extends ActOptions {
  readonly all?: boolean;
  readonly hold?: boolean;
  readonly maxPerSecond?: number;
}

@SubCommand({
  name: 'rebuild',
  arguments: '[name]',
  description:
    'build a read model from the first event on, beside the generation that answers; the gate verifies it, and it is swapped in',
})
@Options({
  '--all': 'every read model of this release, in the place of a name',
  '--hold': 'do not swap it in: it waits behind the gate for "swap"',
  '--max-per-second <events>': [
    'apply at most so many events a second, over all partitions',
    wholeNumber,
  ],
  '--reason <text>': REASON,
})
export class RebuildReadModel extends ReadModelsCommand {
  async run([name]: string[], options: RebuildOptions): Promise<void> {
    if ((name === undefined) !== (options.all === true)) {
      throw new CliError('Name one read model, or say --all.', 'usage');
    }
    const { formerKeptMs } = this;
    await this.withReadModels(options, async (ledger) => {
      const wanted = name === undefined ? listOwn(ledger) : [name];
      const named: NamedReadModel[] = [];
      for (const each of wanted) named.push(await requireOwnReadModel(ledger, each));
      await printMemory(ledger, named, options);
      const refused: string[] = [];
      for (const each of named) {
        try {
          await rebuild(ledger, each, options, formerKeptMs);
        } catch (error) {
          const isLast = name !== undefined || !(error instanceof CliError);
          if (isLast) throw error;
          refused.push(`${each.readModel}: ${error.message}`);
        }
      }
      if (refused.length === 0) return;
      const message = 'Not every read model is rebuilt.';
      throw new CliError(message, 'refused', refused, 'REBUILDS_REFUSED');
    });
  }
}

function listOwn({ projections }: OpenedLedger): string[] {
  return projections.map(({ name }) => name);
}

async function rebuild(
  ledger: OpenedLedger,
  named: NamedReadModel,
  {
    hold = false,
    maxPerSecond = null,
    reason,
    json,
  }: Omit<RebuildOptions, 'maxPerSecond'> & {
    readonly maxPerSecond?: number | null;
  },
  formerKeptMs: number,
): Promise<void> {
  const act = { kind: 'rebuild', hold, maxPerSecond } as const;
  const { generations } = await decideHere(ledger, named, act, { reason, formerKeptMs });
  const { readModel, projection } = named;
  const generation = generations.last;
  const end = hold ? 'it waits behind the gate' : 'the gate looks at it, and it is swapped in';
  const text = `${readModel}: generation ${generation} is built; ${end}. "show ${projection} --watch" shows how far it is.`;
  print(json, { readModel, act: act.kind, generation, hold, maxPerSecond }, text);
}

/** Before a rebuild begins: the memory of Redis, and that of all further generations. */
async function printMemory(
  ledger: OpenedLedger,
  named: readonly NamedReadModel[],
  { json }: RebuildOptions,
): Promise<void> {
  const estimates: RebuildMemory[] = [];
  for (const { readModel } of named) estimates.push(await estimateRebuild(ledger, readModel));
  const furtherBytes = estimates.reduce((sum, each) => sum + each.furtherBytes, 0);
  const { usedBytes = 0, maxBytes = null } = estimates.at(-1) ?? {};
  const exceeds = maxBytes !== null && usedBytes + furtherBytes > maxBytes;
  print(
    json,
    { memory: { usedBytes, maxBytes, furtherBytes, exceeds } },
    sayMemory({ usedBytes, maxBytes, furtherBytes }, exceeds),
  );
}

/** The memory before a rebuild, for people. */
export function sayMemory(
  { usedBytes, maxBytes, furtherBytes }: RebuildMemory,
  exceeds: boolean,
): string {
  const bound = maxBytes === null ? '' : ` of ${sayBytes(maxBytes)} (maxmemory)`;
  const used = `Redis uses ${sayBytes(usedBytes)}${bound}; the rebuild takes about ${sayBytes(furtherBytes)} more`;
  const warning = exceeds ? ' That does not fit: "drop" gives it up again.' : '';
  return `${used}, until the former generation is given up.${warning}`;
}
