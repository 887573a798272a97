import { Option, SubCommand } from 'nest-commander';
import { print } from '../../output.js';
import { endpointPath, jsonRequest } from '../endpoint-call.js';
import { describeEndpoint, type ToldEndpoint } from './endpoint-text.js';
import { SettingsCommand, type SettingsOptions } from './settings-command.js';

interface ChangeOptions extends SettingsOptions {
  readonly address?: string;
}

@SubCommand({
  name: 'change',
  arguments: '<endpoint>',
  description: 'change settings of an endpoint; settings that are not named stay as they are',
})
export class ChangeEndpoint extends SettingsCommand {
  async run([id = '']: string[], options: ChangeOptions): Promise<void> {
    const { address: url } = options;
    const request = jsonRequest('PATCH', { url, ...this.settings(options) });
    const endpoint = await this.api(options).json<ToldEndpoint>(endpointPath(id), request);
    print(options.json, endpoint, describeEndpoint(endpoint));
  }

  @Option({ flags: '--address <url>', description: 'where webhooks are sent' })
  parseAddress(value: string): string {
    return value;
  }
}
