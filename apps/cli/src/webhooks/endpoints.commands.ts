import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { CommandGroup } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { Options } from '../options.js';
import { print, table } from '../output.js';
import { endpointPath, jsonRequest, listOption } from './endpoint-call.js';

/** An endpoint as the API tells it. */
interface ToldEndpoint {
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
class ListEndpoints extends ApiCommand {
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
class ShowEndpoint extends ApiCommand {
  async run([id = '']: string[], options: ApiCommandOptions): Promise<void> {
    const endpoint = await this.api(options).json<ToldEndpoint>(endpointPath(id));
    print(options.json, endpoint, describeEndpoint(endpoint));
  }
}

interface SettingsOptions extends ApiCommandOptions {
  readonly types?: string[];
  readonly accept?: string;
  readonly description?: string;
  /** Commander makes an empty text of null. */
  readonly maxPerSecond?: number | 'none';
}

/** A command that sets an endpoint's settings: their options are the same for all of them. */
@Options({
  '--types <types>': ['types and wildcards, such as payment.*', listOption],
  '--accept <answers>': 'answers that are a success: 2xx, or 200 alone',
  '--description <text>': 'the purpose of the endpoint; "" for none',
  '--max-per-second <n>': [
    'how many attempts begin in a second at most; "none" for no bound',
    (value) => (value === 'none' ? value : wholeNumber(value, '--max-per-second')),
  ],
})
abstract class SettingsCommand extends ApiCommand {
  /** The body's fields; JSON leaves out those that are not given. */
  protected settings({ types: eventTypes, accept, description, maxPerSecond }: SettingsOptions) {
    const bound = maxPerSecond === 'none' ? null : maxPerSecond;
    return { eventTypes, accept, description, maxPerSecond: bound };
  }
}

@SubCommand({
  name: 'create',
  arguments: '<address>',
  description: 'create an endpoint and print its secret, which is never shown again',
})
class CreateEndpoint extends SettingsCommand {
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
class ChangeEndpoint extends SettingsCommand {
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
class DisableEndpoint extends SetState {
  protected readonly act = 'disable';
}

@SubCommand({
  name: 'enable',
  arguments: '<endpoint>',
  description: 'send an endpoint the missed messages, and all new ones',
})
class EnableEndpoint extends SetState {
  protected readonly act = 'enable';
}

@SubCommand({
  name: 'delete',
  arguments: '<endpoint>',
  description: 'delete an endpoint for good; its undelivered messages are dropped',
})
class DeleteEndpoint extends ApiCommand {
  async run([id = '']: string[], options: ApiCommandOptions): Promise<void> {
    await this.api(options).send(endpointPath(id), { method: 'DELETE' });
    print(options.json, { id, deleted: true }, `${id} is deleted.`);
  }
}

interface RotateOptions extends ApiCommandOptions {
  readonly expireOldAfter?: number;
  readonly useFrom?: string;
}

@SubCommand({
  name: 'rotate-secret',
  arguments: '<endpoint>',
  description: 'make a new secret and print it; the former ones sign beside it for a while',
})
@Options({
  '--expire-old-after <seconds>': [
    'how long the former secrets stay valid; a day without it, 0 ends them at once',
    (value) => {
      if (/^\d{1,9}$/.test(value)) return Number(value);
      throw new CliError('--expire-old-after must be a number of seconds from 0 on.', 'usage');
    },
  ],
  '--use-from <time>':
    'when the new one signs first, such as 2027-01-31T10:00:00Z; at once without it',
})
class RotateEndpointSecret extends ApiCommand {
  async run([id = '']: string[], options: RotateOptions): Promise<void> {
    const { expireOldAfter: expireOldAfterSeconds, useFrom } = options;
    const request = jsonRequest('POST', { expireOldAfterSeconds, useFrom });
    const rotated = await this.api(options).json<{ readonly secret: string }>(
      endpointPath(id, 'rotate-secret'),
      request,
    );
    print(options.json, rotated, `Secret: ${rotated.secret}`);
  }
}

/** The commands of the group; the program provides them. */
export const ENDPOINT_COMMANDS = [
  ...[ListEndpoints, ShowEndpoint, CreateEndpoint, ChangeEndpoint],
  ...[DisableEndpoint, EnableEndpoint, RotateEndpointSecret, DeleteEndpoint],
];

@SubCommand({
  name: 'endpoints',
  description: 'where the webhooks of an app are sent',
  subCommands: ENDPOINT_COMMANDS,
})
export class EndpointsCommands extends CommandGroup {}
