import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../../api-command.js';
import { print } from '../../output.js';
import { endpointPath } from '../endpoint-call.js';
import { describeEndpoint, type ToldEndpoint } from './endpoint-text.js';

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
