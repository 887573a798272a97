import { SubCommand } from 'nest-commander';
import { isZone } from '#domain/finance';
import { CommandGroup } from '../cli-command.js';
import { CliError } from '../cli-error.js';
import { fileSize } from '../files.js';
import { Options } from '../options.js';
import { print } from '../output.js';
import { withBar } from '../progress-bar.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';
import { checkRows, type ImportReport, importRows } from './import-rows.js';
import { readReport } from './read-report.js';

interface ImportOptions extends FinanceOptions {
  readonly zone?: string;
}

@SubCommand({
  name: 'stripe',
  arguments: '<file>',
  description:
    "import an itemized report of Stripe's, of balance changes or of payouts; again, it changes nothing",
})
@Options({
  '--zone <zone>': [
    'the zone of times in the report that are not of UTC (UTC without it)',
    (value) => {
      if (isZone(value)) return value;
      throw new CliError('--zone must be the name of a time zone, such as Europe/Berlin.', 'usage');
    },
  ],
})
class ImportStripe extends FinanceCommand {
  async run([file = '']: string[], options: ImportOptions): Promise<void> {
    const { zone = 'UTC' } = options;
    const size = fileSize(file);
    const report = await this.withApp(options, (app) =>
      withBar('checking', async (bar) => {
        const show = (label: string) => {
          let done = 0;
          return (count: number) => bar.draw((done += count) / size, label);
        };
        const count = await checkRows(readReport(file, zone, show('checking')), file);
        return importRows(app, readReport(file, zone, show('importing')), count);
      }),
    );
    print(options.json, report, describe(report));
    if (report.differing.length === 0) return;
    const message = `${report.differing.length} rows were imported before with other figures; the first ones stay.`;
    throw new CliError(message, 'refused', report.differing, 'ROWS_DIFFER');
  }
}

function describe({ rows, imported, noted, known, ofOtherApps }: ImportReport): string {
  const others = ofOtherApps === 0 ? '' : `, ${ofOtherApps} of other apps were left out`;
  return `${rows} rows: ${imported} imported, ${noted} got their payout, ${known} known already${others}.`;
}

@SubCommand({
  name: 'import',
  description: "a gateway's own account of fees and payouts",
  subCommands: [ImportStripe],
})
export class ImportCommands extends CommandGroup {}

export const IMPORT_COMMANDS = [ImportStripe];
