import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { CliError } from '../cli-error.js';
import { keepText, Options } from '../options.js';
import { print } from '../output.js';

/** The errors of an answer, as the API tells them (rules/catalog 3). */
interface ToldViolations {
  readonly violations: readonly { readonly field: string; readonly description: string }[];
  readonly violationCount: number;
}

/** One line for each, and how many more there are. */
function describeViolations({ violations, violationCount }: ToldViolations): string[] {
  const unlisted = violationCount - violations.length;
  return [
    ...violations.map(({ field, description }) => `  ${field}: ${description}`),
    ...(unlisted > 0 ? [`  and ${unlisted} more`] : []),
  ];
}

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
class ListCatalogFailures extends ApiCommand {
  async run([app = '']: string[], options: FailuresOptions): Promise<void> {
    const { limit = DEFAULT_LIMIT, reference } = options;
    const listed = this.api({ ...options, app }).list<ToldFailure>(
      'catalog/failures',
      'failures',
      { reference },
      limit,
    );
    const { items: failures } = await listed;
    const text = failures.length === 0 ? 'No failures are known.' : describeFailures(failures);
    print(options.json, { failures }, text);
  }
}

function describeFailures(failures: readonly ToldFailure[]): string {
  return failures.flatMap(describeFailure).join('\n');
}

function describeFailure(failure: ToldFailure): string[] {
  const { reference, at, playerId, language, reason } = failure;
  const head = `${reference}  ${at}  ${reason}  player ${playerId}, language ${language}`;
  return [head, ...describeViolations(failure)];
}

interface TestOptions extends ApiCommandOptions {
  readonly player: string;
  readonly language?: string;
}

/** As the API shows it (rules/catalog 6). */
interface CatalogTest extends ToldViolations {
  readonly request: { readonly url: string; readonly headers: Readonly<Record<string, string>> };
  readonly response: { readonly status: number; readonly body: string } | null;
  readonly error?: { readonly code: string; readonly text: string };
}

const DEFAULT_LANGUAGE = 'en';

@SubCommand({
  name: 'test',
  arguments: '<app>',
  description: 'ask for the catalog of a player, now, and show the answer and its errors',
})
@Options({
  '--player <id>': ["the studio's id of the player", keepText, { required: true }],
  '--language <tag>': `the language that the backend is asked in (${DEFAULT_LANGUAGE})`,
})
class TestCatalog extends ApiCommand {
  /** @throws CliError where the catalog cannot be shown to players, so that scripts need not read. */
  async run([app = '']: string[], options: TestOptions): Promise<void> {
    const { player: playerId, language = DEFAULT_LANGUAGE } = options;
    const body = JSON.stringify({ playerId, language });
    const request = { method: 'POST', contentType: 'application/json', body } as const;
    const test = await this.api({ ...options, app }).json<CatalogTest>('catalog/test', request);
    print(options.json, test, describeTest(test));
    if (isGood(test)) return;
    const message = 'Players cannot be shown this catalog.';
    throw new CliError(message, 'refused', [], 'CATALOG_UNUSABLE');
  }
}

function isGood({ error, violationCount }: CatalogTest): boolean {
  return error === undefined && violationCount === 0;
}

function describeTest(test: CatalogTest): string {
  const { request, response, error, violationCount } = test;
  const headers = Object.entries(request.headers).map(([name, value]) => `  ${name}: ${value}`);
  return [
    `GET ${request.url}`,
    ...headers,
    ...(response === null ? [] : [`Status: ${response.status}`, response.body]),
    ...(error === undefined ? [] : [`Failed: ${error.text} (${error.code})`]),
    ...(violationCount === 0 ? [] : ['Wrong with the answer:', ...describeViolations(test)]),
    ...(isGood(test) ? ['Players can be shown this catalog.'] : []),
  ].join('\n');
}

export const commands = [TestCatalog, ListCatalogFailures];
