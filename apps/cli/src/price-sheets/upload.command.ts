import { createReadStream } from 'node:fs';
import process from 'node:process';
import { pipeline } from 'node:stream';
import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { fileSize } from '../files.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { showUpload } from '../progress-bar.js';
import { CONFIRM_OPTION } from './confirm-option.js';

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
