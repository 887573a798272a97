import { Option, SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { countOption } from '../arguments.js';
import { print, table } from '../output.js';

interface LogOptions extends ApiCommandOptions {
  readonly message?: string;
  readonly limit?: number;
}

/** As the API shows it (rules/webhooks 10). */
interface Attempt {
  readonly recordedAt: string;
  readonly messageId: string;
  readonly type: string;
  readonly retryCount: number;
  readonly outcome: string;
  readonly status: number | null;
  readonly durationMs: number;
  readonly error: { readonly code: string; readonly text: string } | null;
}

interface Page {
  readonly deliveries: readonly Attempt[];
  readonly nextPageToken: string;
}

const DEFAULT_LIMIT = 50;
/** What the API gives at once. */
const MAX_PAGE = 100;
const HEAD = ['recorded at', 'message', 'type', 'retry', 'outcome', 'status', 'ms', 'error'];

@SubCommand({
  name: 'log',
  arguments: '<endpoint>',
  description: 'the newest attempts at an endpoint of the last seven days',
})
export class ShowDeliveryLog extends ApiCommand {
  async run([endpoint = '']: string[], options: LogOptions): Promise<void> {
    const { limit = DEFAULT_LIMIT, message } = options;
    const query = { ...(message !== undefined && { messageId: message }) };
    const deliveries: Attempt[] = [];
    let pageToken = '';
    do {
      const asked = String(Math.min(MAX_PAGE, limit - deliveries.length));
      const text = new URLSearchParams({ ...query, limit: asked, pageToken }).toString();
      const path = `webhook-endpoints/${encodeURIComponent(endpoint)}/deliveries?${text}`;
      const page: Page = await this.api(options).json<Page>(path);
      deliveries.push(...page.deliveries);
      pageToken = page.nextPageToken;
    } while (pageToken !== '' && deliveries.length < limit);
    const text = deliveries.length === 0 ? 'No attempts are known.' : table(HEAD, rows(deliveries));
    print(options.json, { deliveries }, text);
  }

  @Option({ flags: '--message <id>', description: 'the attempts at this message alone' })
  parseMessage(value: string): string {
    return value;
  }

  @Option({ flags: '--limit <number>', description: `how many attempts (${DEFAULT_LIMIT})` })
  parseLimit(value: string): number {
    return countOption('limit', value);
  }
}

function rows(deliveries: readonly Attempt[]): string[][] {
  return deliveries.map(({ recordedAt, messageId, type, error, ...attempt }) => [
    ...[recordedAt, messageId, type, String(attempt.retryCount), attempt.outcome],
    ...[String(attempt.status ?? ''), String(attempt.durationMs)],
    error === null ? '' : `${error.code}: ${error.text}`,
  ]);
}
