import { Option, SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { print } from '../output.js';
import { endpointPath, jsonRequest } from './endpoint-call.js';

interface TestOptions extends ApiCommandOptions {
  readonly type: string;
}

@SubCommand({
  name: 'test',
  arguments: '<endpoint>',
  description: 'have a sample of a type sent to an endpoint, whether or not it takes the type',
})
export class TestWebhook extends ApiCommand {
  async run([id = '']: string[], options: TestOptions): Promise<void> {
    const request = jsonRequest('POST', { eventType: options.type });
    const test = await this.api(options).json<{ testId: string }>(
      endpointPath(id, 'test'),
      request,
    );
    print(options.json, test, `A sample of ${options.type} is asked for as ${test.testId}.`);
  }

  @Option({
    flags: '--type <type>',
    description: 'the type, such as payment.succeeded',
    required: true,
  })
  parseType(value: string): string {
    return value;
  }
}
