import { Option, SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { CliError } from '../cli-error.js';
import { print } from '../output.js';
import { describeViolations, type ToldViolations } from './violations.js';

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
export class TestCatalog extends ApiCommand {
  /** @throws CliError where the catalog cannot be shown to players, so that scripts need not read. */
  async run([app = '']: string[], options: TestOptions): Promise<void> {
    const { player: playerId, language = DEFAULT_LANGUAGE } = options;
    const body = JSON.stringify({ playerId, language });
    const request = { method: 'POST', contentType: 'application/json', body } as const;
    const test = await this.api({ ...options, app }).json<CatalogTest>('catalog/test', request);
    print(options.json, test, describe(test));
    if (isGood(test)) return;
    const message = 'Players cannot be shown this catalog.';
    throw new CliError(message, 'refused', [], 'CATALOG_UNUSABLE');
  }

  @Option({ flags: '--player <id>', description: "the studio's id of the player", required: true })
  parsePlayer(value: string): string {
    return value;
  }

  @Option({
    flags: '--language <tag>',
    description: `the language that the backend is asked in (${DEFAULT_LANGUAGE})`,
  })
  parseLanguage(value: string): string {
    return value;
  }
}

function isGood({ error, violationCount }: CatalogTest): boolean {
  return error === undefined && violationCount === 0;
}

function describe(test: CatalogTest): string {
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
