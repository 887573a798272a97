import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../../api-command.js';
import { print, table } from '../../output.js';
import type { ToldEndpoint } from './endpoint-text.js';

@SubCommand({ name: 'list', description: 'list the endpoints of the app' })
export class ListEndpoints extends ApiCommand {
  async run(_arguments: string[], options: ApiCommandOptions): Promise<void> {
    const all = this.api(options).list<ToldEndpoint>('webhook-endpoints', 'webhookEndpoints');
    const { items: webhookEndpoints } = await all;
    const rows = webhookEndpoints.map(({ id, state, disabledReason, eventTypes, url }) => [
      id,
      disabledReason === '' ? state : `${state} (${disabledReason})`,
      eventTypes.join(','),
      url,
    ]);
    const head = ['id', 'state', 'types', 'address'];
    const text = rows.length === 0 ? 'The app has no endpoints.' : table(head, rows);
    print(options.json, { webhookEndpoints }, text);
  }
}
