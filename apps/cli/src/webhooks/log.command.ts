import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { Options } from '../options.js';
import { print, table } from '../output.js';
import { endpointPath } from './endpoint-call.js';

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

const DEFAULT_LIMIT = 50;
const HEAD = ['started at', 'message', 'type', 'state', 'attempt', 'status', 'ms', 'error'];

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
    const text = deliveries.length === 0 ? 'No attempts are known.' : describe(deliveries);
    print(options.json, { deliveries }, text);
  }
}

/** An attempt a row; of one message that was asked for, its body, too. */
function describe(deliveries: readonly Delivery[]): string {
  const bodies = deliveries.flatMap(({ body }) => (body === null ? [] : [body]));
  return [table(HEAD, deliveries.flatMap(rows)), ...bodies].join('\n\n');
}

function rows({ webhookId, type, state, attempts }: Delivery): string[][] {
  return attempts.map(({ attempt, startedAt, durationMs, answer, error }) => [
    ...[startedAt, webhookId, type, state, String(attempt)],
    ...[String(answer?.status ?? ''), String(durationMs)],
    error === null ? '' : `${error.code}: ${error.text}`,
  ]);
}
