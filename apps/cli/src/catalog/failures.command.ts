import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { describeViolations, type ToldViolations } from './violations.js';

interface FailuresOptions extends ApiCommandOptions {
  readonly reference?: string;
  readonly limit?: number;
}

/** As the API shows it (rules/catalog 5). */
interface ToldFailure extends ToldViolations {
  readonly reference: string;
  readonly at: string;
  readonly playerId: string;
  readonly language: string;
  readonly reason: string;
}

const DEFAULT_LIMIT = 20;

@SubCommand({
  name: 'failures',
  arguments: '<app>',
  description: 'the newest calls of the catalog of the last seven days that failed for players',
})
@Options({
  '--reference <reference>': 'the one that a player was shown',
  '--limit <number>': [`how many failures (${DEFAULT_LIMIT})`, wholeNumber],
})
export class ListCatalogFailures extends ApiCommand {
  async run([app = '']: string[], options: FailuresOptions): Promise<void> {
    const { limit = DEFAULT_LIMIT, reference } = options;
    const listed = this.api({ ...options, app }).list<ToldFailure>(
      'catalog/failures',
      'failures',
      { reference },
      limit,
    );
    const { items: failures } = await listed;
    const text = failures.length === 0 ? 'No failures are known.' : describe(failures);
    print(options.json, { failures }, text);
  }
}

function describe(failures: readonly ToldFailure[]): string {
  return failures.flatMap(describeFailure).join('\n');
}

function describeFailure(failure: ToldFailure): string[] {
  const { reference, at, playerId, language, reason } = failure;
  const head = `${reference}  ${at}  ${reason}  player ${playerId}, language ${language}`;
  return [head, ...describeViolations(failure)];
}
