import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../../api-command.js';
import { Options } from '../../options.js';
import { print, table } from '../../output.js';
import { endpointPath, jsonRequest } from '../endpoint-call.js';
import { SettingsCommand, type SettingsOptions } from './settings-command.js';

/** An endpoint as the API tells it. */
export interface ToldEndpoint {
  readonly id: string;
  readonly url: string;
  readonly eventTypes: readonly string[];
  readonly accept: string;
  readonly description: string;
  readonly maxPerSecond: number | null;
  readonly state: string;
  readonly disabledReason: string;
  readonly disabledAt: string;
  readonly createdAt: string;
}

/** An endpoint for people, one line for each of its settings. */
function describeEndpoint(endpoint: ToldEndpoint): string {
  const { id, url, eventTypes, accept, description, maxPerSecond, createdAt } = endpoint;
  return [
    `${id}: ${describeState(endpoint)}`,
    `Address: ${url}`,
    `Types: ${eventTypes.join(', ')}`,
    `Success: ${accept}`,
    `Attempts a second: ${maxPerSecond ?? 'no bound'}`,
    ...(description === '' ? [] : [`Description: ${description}`]),
    `Created: ${createdAt}`,
  ].join('\n');
}

function describeState({ state, disabledReason, disabledAt }: ToldEndpoint): string {
  return disabledReason === '' ? state : `${state} (${disabledReason}) since ${disabledAt}`;
}

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

@SubCommand({
  name: 'show',
  arguments: '<endpoint>',
  description: 'an endpoint with its settings, without its secrets',
})
export class ShowEndpoint extends ApiCommand {
  async run([id = '']: string[], options: ApiCommandOptions): Promise<void> {
    const endpoint = await this.api(options).json<ToldEndpoint>(endpointPath(id));
    print(options.json, endpoint, describeEndpoint(endpoint));
  }
}

@SubCommand({
  name: 'create',
  arguments: '<address>',
  description: 'create an endpoint and print its secret, which is never shown again',
})
export class CreateEndpoint extends SettingsCommand {
  async run([url = '']: string[], options: SettingsOptions): Promise<void> {
    const request = jsonRequest('POST', { url, ...this.settings(options) });
    const created = await this.api(options).json<ToldEndpoint & { secret: string }>(
      'webhook-endpoints',
      request,
    );
    print(options.json, created, `${describeEndpoint(created)}\nSecret: ${created.secret}`);
  }
}

interface ChangeOptions extends SettingsOptions {
  readonly address?: string;
}

@SubCommand({
  name: 'change',
  arguments: '<endpoint>',
  description: 'change settings of an endpoint; settings that are not named stay as they are',
})
@Options({ '--address <url>': 'where webhooks are sent' })
export class ChangeEndpoint extends SettingsCommand {
  async run([id = '']: string[], options: ChangeOptions): Promise<void> {
    const { address: url } = options;
    const request = jsonRequest('PATCH', { url, ...this.settings(options) });
    const endpoint = await this.api(options).json<ToldEndpoint>(endpointPath(id), request);
    print(options.json, endpoint, describeEndpoint(endpoint));
  }
}

abstract class SetState extends ApiCommand {
  protected abstract readonly act: 'disable' | 'enable';

  async run([id = '']: string[], options: ApiCommandOptions): Promise<void> {
    const request = jsonRequest('POST', {});
    const endpoint = await this.api(options).json<ToldEndpoint>(
      endpointPath(id, this.act),
      request,
    );
    print(options.json, endpoint, describeEndpoint(endpoint));
  }
}

@SubCommand({
  name: 'disable',
  arguments: '<endpoint>',
  description: 'send an endpoint nothing for now, and hold its messages',
})
export class DisableEndpoint extends SetState {
  protected readonly act = 'disable';
}

@SubCommand({
  name: 'enable',
  arguments: '<endpoint>',
  description: 'send an endpoint the missed messages, and all new ones',
})
export class EnableEndpoint extends SetState {
  protected readonly act = 'enable';
}

@SubCommand({
  name: 'delete',
  arguments: '<endpoint>',
  description: 'delete an endpoint for good; its undelivered messages are dropped',
})
export class DeleteEndpoint extends ApiCommand {
  async run([id = '']: string[], options: ApiCommandOptions): Promise<void> {
    await this.api(options).send(endpointPath(id), { method: 'DELETE' });
    print(options.json, { id, deleted: true }, `${id} is deleted.`);
  }
}
