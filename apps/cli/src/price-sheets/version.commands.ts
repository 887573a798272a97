import { SubCommand } from 'nest-commander';
import process from 'node:process';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { print, table } from '../output.js';

interface ListedVersion {
  readonly version: number;
  readonly current: boolean;
  readonly contentHash: string;
  readonly rowCount: number;
  readonly uploadedBy: string;
  readonly uploadedAt: string;
}

/** As many characters of a hash as tell versions apart. */
const SHORT_HASH = 12;

@SubCommand({ name: 'list', description: 'list the versions of the price sheet, newest first' })
export class ListPriceSheets extends ApiCommand {
  async run(_arguments: string[], options: ApiCommandOptions): Promise<void> {
    const api = this.api(options);
    const { items: versions } = await api.list<ListedVersion>('price-sheet/versions', 'versions');
    const rows = versions.map((one) => [
      one.current ? '*' : '',
      String(one.version),
      String(one.rowCount),
      one.uploadedAt,
      one.uploadedBy,
      one.contentHash.slice(0, SHORT_HASH),
    ]);
    const head = ['', 'version', 'rows', 'uploaded at', 'by', 'sha256'];
    const text = rows.length === 0 ? 'No price sheet was uploaded yet.' : table(head, rows);
    print(options.json, { versions }, text);
  }
}

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
        : `price-sheet/versions/${wholeNumber(version, 'VERSION', { prefix: 'v' })}`;
    const { text, headers } = await this.api(options).send(path);
    if (options.json === true) {
      const shown = Number(headers.get('x-price-sheet-version'));
      console.log(JSON.stringify({ version: shown, csv: text }));
    } else process.stdout.write(text);
  }
}

@SubCommand({
  name: 'activate',
  arguments: '<version>',
  description: 'make an earlier version current again',
})
export class ActivatePriceSheet extends ApiCommand {
  async run([text = '']: string[], options: ApiCommandOptions): Promise<void> {
    const version = wholeNumber(text, 'VERSION', { prefix: 'v' });
    const path = `price-sheet/versions/${version}/activate`;
    const activated = await this.api(options).json(path, { method: 'POST' });
    print(options.json, activated, `Version ${version} is in force.`);
  }
}
