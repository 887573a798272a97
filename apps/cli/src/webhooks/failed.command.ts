import { Option, SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { print, table } from '../output.js';

interface FailedOptions extends ApiCommandOptions {
  readonly limit?: number;
}

/** As the API shows it (rules/webhooks 12). */
interface Failure {
  readonly webhookId: string;
  readonly endpointId: string;
  readonly type: string;
  readonly attempts: number;
  readonly reason: string;
  readonly failedAt: string;
}

interface Page {
  readonly failures: readonly Failure[];
  readonly nextPageToken: string;
}

const DEFAULT_LIMIT = 50;
/** The API's largest page. */
const MAX_PAGE = 100;
const HEAD = ['failed at', 'endpoint', 'message', 'type', 'attempts', 'reason'];

@SubCommand({
  name: 'failed',
  arguments: '[endpoint]',
  description:
    'deliveries that were given up at an endpoint, or at all of the app, the last one first',
})
export class ListFailedWebhooks extends ApiCommand {
  async run([endpointId]: string[], options: FailedOptions): Promise<void> {
    const { limit = DEFAULT_LIMIT } = options;
    const query = { ...(endpointId !== undefined && { endpointId }) };
    const failures: Failure[] = [];
    let pageToken = '';
    do {
      const asked = String(Math.min(MAX_PAGE, limit - failures.length));
      const text = new URLSearchParams({ ...query, limit: asked, pageToken }).toString();
      const page: Page = await this.api(options).json<Page>(`webhook-failures?${text}`);
      failures.push(...page.failures);
      pageToken = page.nextPageToken;
    } while (pageToken !== '' && failures.length < limit);
    print(options.json, { failures, isCut: pageToken !== '' }, describe(failures, pageToken));
  }

  @Option({ flags: '--limit <number>', description: `how many (${DEFAULT_LIMIT})` })
  parseLimit(value: string): number {
    return wholeNumber('--limit', value);
  }
}

function describe(failures: readonly Failure[], pageToken: string): string {
  if (failures.length === 0) return 'Nothing is listed that failed for good.';
  const rows = failures.map(({ failedAt, endpointId, webhookId, type, attempts, reason }) => [
    ...[failedAt, endpointId, webhookId, type, String(attempts), reason],
  ]);
  const endpoints = [...new Set(failures.map(({ endpointId }) => endpointId))];
  return [
    table(HEAD, rows),
    ...(pageToken === '' ? [] : [`There are more: these are the last ${rows.length} (--limit).`]),
    'When the receiver is mended, have all of it sent again:',
    ...endpoints.map((endpointId) => `  subledger webhooks resend ${endpointId} --failed`),
  ].join('\n');
}
