import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../../api-command.js';
import { print } from '../../output.js';
import { endpointPath } from '../endpoint-call.js';

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
