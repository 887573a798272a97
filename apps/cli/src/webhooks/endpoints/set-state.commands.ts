import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../../api-command.js';
import { print } from '../../output.js';
import { endpointPath, jsonRequest } from '../endpoint-call.js';
import { describeEndpoint, type ToldEndpoint } from './endpoint-text.js';

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
