import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { Options } from '../options.js';
import { print, table } from '../output.js';
import { endpointPath } from './endpoint-call.js';

const DEFAULT_LIMIT = 50;

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

const FAILED_HEAD = ['failed at', 'endpoint', 'message', 'type', 'attempts', 'reason'];

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
    print(options.json, { failures, isCut }, describeFailures(failures, isCut));
  }
}

function describeFailures(failures: readonly Failure[], isCut: boolean): string {
  if (failures.length === 0) return 'Nothing is listed that failed for good.';
  const rows = failures.map(({ failedAt, endpointId, webhookId, type, attempts, reason }) => [
    ...[failedAt, endpointId, webhookId, type, String(attempts), reason],
  ]);
  const endpoints = [...new Set(failures.map(({ endpointId }) => endpointId))];
  return [
    table(FAILED_HEAD, rows),
    ...(isCut ? [`There are more: these are the last ${rows.length} (--limit).`] : []),
    'When the receiver is mended, have all of it sent again:',
    ...endpoints.map((endpointId) => `  subledger webhooks resend ${endpointId} --failed`),
  ].join('\n');
}

interface LogOptions extends ApiCommandOptions {
  readonly webhookId?: string;
  readonly type?: string;
  readonly state?: string;
  readonly since?: string;
  readonly until?: string;
  readonly limit?: number;
}

/** As the API shows it (rules/webhooks 10). */
interface Attempt {
  readonly attempt: number;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly answer: { readonly status: number } | null;
  readonly error: { readonly code: string; readonly text: string } | null;
}

interface Delivery {
  readonly webhookId: string;
  readonly type: string;
  readonly state: string;
  readonly body: string | null;
  readonly attempts: readonly Attempt[];
}

const LOG_HEAD = ['started at', 'message', 'type', 'state', 'attempt', 'status', 'ms', 'error'];

@SubCommand({
  name: 'log',
  arguments: '<endpoint>',
  description: 'deliveries to an endpoint in the last seven days, with all attempts',
})
@Options({
  '--webhook-id <id>': 'this message alone, with its body',
  '--type <type>': 'messages of this type alone',
  '--state <state>': 'their outcome: delivered, failing, exhausted or erased',
  '--since <instant>': 'with their newest attempt from then on',
  '--until <instant>': 'with their newest attempt until then',
  '--limit <number>': [`how many messages (${DEFAULT_LIMIT})`, wholeNumber],
})
export class ShowDeliveryLog extends ApiCommand {
  async run([endpoint = '']: string[], options: LogOptions): Promise<void> {
    const { limit = DEFAULT_LIMIT, webhookId, type, state, since, until } = options;
    const path = endpointPath(endpoint, 'deliveries');
    const filters = { webhookId, type, state, since, until };
    const listed = this.api(options).list<Delivery>(path, 'deliveries', filters, limit);
    const { items: deliveries } = await listed;
    const text =
      deliveries.length === 0 ? 'No attempts are known.' : describeDeliveries(deliveries);
    print(options.json, { deliveries }, text);
  }
}

/** An attempt a row; of one message that was asked for, its body, too. */
function describeDeliveries(deliveries: readonly Delivery[]): string {
  const bodies = deliveries.flatMap(({ body }) => (body === null ? [] : [body]));
  return [table(LOG_HEAD, deliveries.flatMap(rows)), ...bodies].join('\n\n');
}

function rows({ webhookId, type, state, attempts }: Delivery): string[][] {
  return attempts.map(({ attempt, startedAt, durationMs, answer, error }) => [
    ...[startedAt, webhookId, type, state, String(attempt)],
    ...[String(answer?.status ?? ''), String(durationMs)],
    error === null ? '' : `${error.code}: ${error.text}`,
  ]);
}
