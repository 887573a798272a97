import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { endpointPath, jsonRequest } from './endpoint-call.js';

interface TestOptions extends ApiCommandOptions {
  readonly type?: string;
}

@SubCommand({
  name: 'test',
  arguments: '<endpoint>',
  description: 'have a sample of a type sent to an endpoint, whether or not it takes the type',
})
@Options({ '--type <type>': 'the type; payment.succeeded without it' })
export class TestWebhook extends ApiCommand {
  async run([id = '']: string[], options: TestOptions): Promise<void> {
    const request = jsonRequest('POST', { eventType: options.type });
    const endpoint = await this.api(options).json<object>(endpointPath(id, 'test'), request);
    const { type = 'payment.succeeded' } = options;
    print(options.json, endpoint, `A sample of ${type} is sent.`);
  }
}
