import { SubCommand } from 'nest-commander';
import type { Api } from '../api.js';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { describeStatus, isTroubled, sumUp, type ToldApp } from './status-text.js';

interface StatusOptions extends ApiCommandOptions {
  readonly allApps?: boolean;
  readonly troubled?: boolean;
  readonly limit?: number;
}

interface Page {
  readonly apps: readonly ToldApp[];
  readonly nextPageToken: string;
}

const DEFAULT_LIMIT = 200;

@SubCommand({
  name: 'status',
  description:
    'the state of the endpoints: breakers, deliveries in flight, backlogged, or failed for good',
})
@Options({
  '--all-apps': 'of all apps that the token is for',
  '--troubled':
    'only those that fail, are held, are backlogged, or where a delivery failed for good',
  '--limit <number>': [`how many endpoints (${DEFAULT_LIMIT})`, wholeNumber],
})
export class ShowWebhookStatus extends ApiCommand {
  async run(_arguments: string[], options: StatusOptions): Promise<void> {
    const { limit = DEFAULT_LIMIT, troubled: isTroubledOnly = false } = options;
    const api = this.api(options);
    const pages =
      options.allApps === true ? readPages(api) : [[await api.json<ToldApp>('webhook-status')]];
    const apps: ToldApp[] = [];
    let left = limit;
    let isCut = false;
    for await (const page of pages) {
      for (const { appId, endpoints } of page) {
        const wanted = isTroubledOnly ? endpoints.filter(isTroubled) : endpoints;
        isCut ||= wanted.length > left;
        apps.push({ appId, endpoints: wanted.slice(0, left) });
        left = Math.max(0, left - wanted.length);
      }
      if (isCut) break;
    }
    const totals = sumUp(apps.flatMap(({ endpoints }) => endpoints));
    const text = describeStatus(apps, Date.now());
    const rest = isCut ? `\nThere are more: these are the first ${limit} (--limit).` : '';
    print(options.json, { apps, totals, isCut }, text + rest);
  }
}

/** The next page is asked for when it is needed. */
async function* readPages(api: Api): AsyncGenerator<readonly ToldApp[]> {
  let pageToken = '';
  do {
    const query = new URLSearchParams({ limit: '100', pageToken }).toString();
    const page = await api.json<Page>(`/webhook-status?${query}`);
    yield page.apps;
    pageToken = page.nextPageToken;
  } while (pageToken !== '');
}
