import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { Options } from '../options.js';
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

const DEFAULT_LIMIT = 50;
const HEAD = ['failed at', 'endpoint', 'message', 'type', 'attempts', 'reason'];

@SubCommand({
  name: 'failed',
  arguments: '[endpoint]',
  description:
    'deliveries that were given up at an endpoint, or at all of the app, the last one first',
})
@Options({
  '--limit <number>': [`how many (${DEFAULT_LIMIT})`, wholeNumber],
})
export class ListFailedWebhooks extends ApiCommand {
  async run([endpointId]: string[], options: FailedOptions): Promise<void> {
    const { limit = DEFAULT_LIMIT } = options;
    const listed = this.api(options).list<Failure>(
      'webhook-failures',
      'failures',
      { endpointId },
      limit,
    );
    const { items: failures, isCut } = await listed;
    print(options.json, { failures, isCut }, describe(failures, isCut));
  }
}

function describe(failures: readonly Failure[], isCut: boolean): string {
  if (failures.length === 0) return 'Nothing is listed that failed for good.';
  const rows = failures.map(({ failedAt, endpointId, webhookId, type, attempts, reason }) => [
    ...[failedAt, endpointId, webhookId, type, String(attempts), reason],
  ]);
  const endpoints = [...new Set(failures.map(({ endpointId }) => endpointId))];
  return [
    table(HEAD, rows),
    ...(isCut ? [`There are more: these are the last ${rows.length} (--limit).`] : []),
    'When the receiver is mended, have all of it sent again:',
    ...endpoints.map((endpointId) => `  subledger webhooks resend ${endpointId} --failed`),
  ].join('\n');
}
