import { SubCommand } from 'nest-commander';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
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
