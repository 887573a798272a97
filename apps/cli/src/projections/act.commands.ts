import { SubCommand } from 'nest-commander';
import type { Generations } from '#domain/projection';
import type { ReadModelAct } from '#read-model-operations';
import { wholeNumber } from '../arguments.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { REASON } from '../reason.js';
import type { StoreCommandOptions } from '../store-command.js';
import { sayInstant } from '../streams/state-words.js';
import { decideHere } from './act.js';
import { ReadModelsCommand, requireOwnReadModel } from './read-models-command.js';

export interface ActOptions extends StoreCommandOptions {
  readonly reason: string;
}

/** An act on one read model. */
abstract class ActOnReadModel extends ReadModelsCommand {
  protected async act(
    name: string,
    act: ReadModelAct,
    options: ActOptions,
    say: (generations: Generations) => string,
  ): Promise<void> {
    const { formerKeptMs } = this;
    await this.withReadModels(options, async (ledger) => {
      const named = await requireOwnReadModel(ledger, name);
      const { readModel } = named;
      const context = { reason: options.reason, formerKeptMs };
      const { generations, events } = await decideHere(ledger, named, act, context);
      const isChanged = events.length > 0;
      const text = isChanged ? say(generations) : 'It is so already.';
      const answer = { readModel, act: act.kind, isChanged, generations };
      print(options.json, answer, `${readModel}: ${text}`);
    });
  }
}

@SubCommand({
  name: 'swap',
  arguments: '<name>',
  description: 'let the verified generation answer; the former one is kept and fed, as a way back',
})
@Options({
  '--anyway': 'also where the gate has found something, or has not looked yet',
  '--reason <text>': REASON,
})
export class SwapReadModel extends ActOnReadModel {
  async run([name = '']: string[], options: ActOptions & { anyway?: boolean }): Promise<void> {
    const act = { kind: 'swap', anyway: options.anyway === true } as const;
    await this.act(name, act, options, sayAnswering);
  }
}

@SubCommand({
  name: 'rollback',
  arguments: '<name>',
  description: 'let the former generation answer again; the present one is kept in its place',
})
@Options({ '--reason <text>': REASON })
export class RollBackReadModel extends ActOnReadModel {
  async run([name = '']: string[], options: ActOptions): Promise<void> {
    await this.act(name, { kind: 'rollback' }, options, sayAnswering);
  }
}

@SubCommand({
  name: 'drop',
  arguments: '<name> <generation>',
  description: 'give up a generation that is built or kept; the one that answers cannot be dropped',
})
@Options({ '--reason <text>': REASON })
export class DropGeneration extends ActOnReadModel {
  async run([name = '', text = '']: string[], options: ActOptions): Promise<void> {
    const generation = wholeNumber(text, 'The generation');
    const act = { kind: 'drop', generation } as const;
    await this.act(name, act, options, () => `generation ${generation} is dropped.`);
  }
}

@SubCommand({
  name: 'pause',
  arguments: '<name>',
  description: 'have a build take in nothing more for now; it goes on where it was',
})
@Options({ '--reason <text>': REASON })
export class PauseBuild extends ActOnReadModel {
  async run([name = '']: string[], options: ActOptions): Promise<void> {
    await this.act(name, { kind: 'pause' }, options, () => 'the build is paused.');
  }
}

@SubCommand({
  name: 'resume',
  arguments: '<name>',
  description: 'have a paused build go on',
})
@Options({ '--reason <text>': REASON })
export class ResumeBuild extends ActOnReadModel {
  async run([name = '']: string[], options: ActOptions): Promise<void> {
    await this.act(name, { kind: 'resume' }, options, () => 'the build goes on.');
  }
}

function sayAnswering({ answering, former }: Generations): string {
  const kept =
    former === null
      ? ''
      : ` Generation ${former.generation} is kept and fed until ${sayInstant(former.until)}: "rollback" leads back to it.`;
  return `generation ${answering} answers within moments.${kept}`;
}
