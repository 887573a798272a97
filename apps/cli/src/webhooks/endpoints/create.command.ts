import { SubCommand } from 'nest-commander';
import { print } from '../../output.js';
import { jsonRequest } from '../endpoint-call.js';
import { describeEndpoint, type ToldEndpoint } from './endpoint-text.js';
import { SettingsCommand, type SettingsOptions } from './settings-command.js';

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
