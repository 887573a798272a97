import { createReadStream } from 'node:fs';
import process from 'node:process';
import { pipeline } from 'node:stream';
import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { wholeNumber } from '../arguments.js';
import { fileSize } from '../files.js';
import { Options } from '../options.js';
import { print, table } from '../output.js';
import { showUpload } from '../progress-bar.js';

/** Of the upload and of its dry run, which refuse the same rows (rules/prices 9). */
export const CONFIRM_OPTION = {
  '--confirm <rows>': [
    'how many rows are meant that a spreadsheet may have changed, as the refusal says',
    wholeNumber,
  ],
} as const;

interface UploadOptions extends ApiCommandOptions {
  readonly confirm?: number;
}

interface Uploaded {
  readonly version: number;
  readonly rowCount: number;
  readonly priceIdCount: number;
}

@SubCommand({
  name: 'upload',
  arguments: '<file>',
  description: 'upload a price sheet (CSV), which is in force from then on',
})
@Options(CONFIRM_OPTION)
export class UploadPriceSheet extends ApiCommand {
  async run([file = '']: string[], options: UploadOptions): Promise<void> {
    const { confirm } = options;
    const query = confirm === undefined ? '' : `?confirm=${confirm}`;
    const bar = showUpload(fileSize(file), process.stderr);
    const api = this.api(options);
    // Whatever breaks off ends the request, and the request says why.
    pipeline(createReadStream(file), bar, () => undefined);
    const request = { method: 'PUT', contentType: 'text/csv', body: bar } as const;
    const uploaded = await api.json<Uploaded>(`price-sheet${query}`, request);
    const { version, rowCount, priceIdCount } = uploaded;
    const text = `Version ${version} is in force: ${rowCount} rows, ${priceIdCount} priceIds.`;
    print(options.json, uploaded, text);
  }
}

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
