import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../../api-command.js';
import { CliError } from '../../cli-error.js';
import { Options } from '../../options.js';
import { print } from '../../output.js';
import { endpointPath, jsonRequest } from '../endpoint-call.js';

interface RotateOptions extends ApiCommandOptions {
  readonly expireOldAfter?: number;
  readonly useFrom?: string;
}

interface RotatedSecret {
  readonly secret: string;
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
export class RotateEndpointSecret extends ApiCommand {
  async run([id = '']: string[], options: RotateOptions): Promise<void> {
    const { expireOldAfter: expireOldAfterSeconds, useFrom } = options;
    const request = jsonRequest('POST', { expireOldAfterSeconds, useFrom });
    const rotated = await this.api(options).json<RotatedSecret>(
      endpointPath(id, 'rotate-secret'),
      request,
    );
    print(options.json, rotated, `Secret: ${rotated.secret}`);
  }
}
