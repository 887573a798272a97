import process from 'node:process';
import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';

@SubCommand({
  name: 'show',
  arguments: '[version]',
  description: 'print a version as CSV; the one in force when none is named',
})
export class ShowPriceSheet extends ApiCommand {
  async run([version]: string[], options: ApiCommandOptions): Promise<void> {
    const path =
      version === undefined
        ? 'price-sheet'
        : `price-sheet/versions/${wholeNumber('VERSION', version, { prefix: 'v' })}`;
    const { text, headers } = await this.api(options).send(path);
    if (options.json === true) {
      const shown = Number(headers.get('x-price-sheet-version'));
      console.log(JSON.stringify({ version: shown, csv: text }));
    } else process.stdout.write(text);
  }
}
