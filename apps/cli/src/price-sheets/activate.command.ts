import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { print } from '../output.js';

@SubCommand({
  name: 'activate',
  arguments: '<version>',
  description: 'make an earlier version current again',
})
export class ActivatePriceSheet extends ApiCommand {
  async run([text = '']: string[], options: ApiCommandOptions): Promise<void> {
    const version = wholeNumber('VERSION', text, { prefix: 'v' });
    const path = `price-sheet/versions/${version}/activate`;
    const activated = await this.api(options).json(path, { method: 'POST' });
    print(options.json, activated, `Version ${version} is in force.`);
  }
}
