import process from 'node:process';
import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import type { Api } from '../api.js';
import { CliError } from '../cli-error.js';
import { CountLine } from '../progress-bar.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { type CurrencyChange, describeChanges, summarize } from './currency-report.js';

const PATH = 'currency-changes';
/** As many as the API takes at once (rules/api 16). */
const LIMIT = 100;

interface MoveOptions extends ApiCommandOptions {
  readonly from?: string;
  readonly to?: string;
  readonly lockedPrices?: string;
  readonly dryRun?: boolean;
}

interface Page {
  readonly subscriptions: readonly CurrencyChange[];
  readonly nextPageToken: string;
}

@SubCommand({
  name: 'move-currency',
  description:
    'move the subscriptions of an app off a currency that ends, each with its next renewal; begin with --dry-run',
})
@Options({
  '--from <currency>': 'the currency that ends, such as BGN',
  '--to <currency>': 'the currency that follows, such as EUR',
  '--locked-prices <keep|replace>':
    "the fate of subscriptions whose price is no longer their plan's: they stay (keep, without it), or take the plan's",
  '--dry-run':
    'list the subscriptions that would move and those that would not, and change nothing',
})
export class MoveCurrency extends ApiCommand {
  async run(_arguments: string[], options: MoveOptions): Promise<void> {
    const { from, to, lockedPrices, dryRun: isDryRun = false } = options;
    if (from === undefined || to === undefined) {
      throw new CliError(
        'Name with --from the currency that ends, and with --to the next one.',
        'usage',
      );
    }
    // JSON leaves out fields that are not given.
    const move = { from, to, lockedPrices };
    const subscriptions = await this.#askForAll(this.api(options), move, isDryRun);
    const answer = { from, to, isDryRun, ...summarize(subscriptions), subscriptions };
    print(options.json, answer, describeChanges(subscriptions, { from, to, isDryRun }));
  }

  /** An app may have any number of subscriptions: each call takes a page of them. */
  async #askForAll(
    api: Api,
    move: { readonly from: string; readonly to: string; readonly lockedPrices: string | undefined },
    isDryRun: boolean,
  ): Promise<CurrencyChange[]> {
    const found: CurrencyChange[] = [];
    const line = new CountLine('subscriptions in the currency', process.stderr);
    let pageToken: string | undefined;
    try {
      do {
        const asked = { ...move, limit: LIMIT, pageToken };
        const page = await (isDryRun ? preview(api, asked) : change(api, asked));
        found.push(...page.subscriptions);
        line.draw(found.length);
        pageToken = page.nextPageToken;
      } while (pageToken !== '');
    } finally {
      line.clear();
    }
    return found;
  }
}

type Asked = Readonly<Record<string, string | number | undefined>>;

function preview(api: Api, asked: Asked): Promise<Page> {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined) query.set(name, String(value));
  }
  return api.json<Page>(`${PATH}?${query.toString()}`);
}

function change(api: Api, asked: Asked): Promise<Page> {
  const body = JSON.stringify(asked);
  return api.json<Page>(PATH, { method: 'POST', contentType: 'application/json', body });
}
