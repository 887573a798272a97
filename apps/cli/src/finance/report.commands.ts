import process from 'node:process';
import { once } from 'node:events';
import { SubCommand } from 'nest-commander';
import {
  type OpenReport,
  printReport,
  type ReportChoice,
  type ReportEnd,
  REPORTS,
  withReport,
  writeReportFolder,
} from '#finance';
import { orUnwritable } from '../files.js';
import { Options } from '../options.js';
import { print, table } from '../output.js';
import { readAccounts } from './accounts-file.js';
import { openSources } from './close-means.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';
import {
  chooseDay,
  chooseFormat,
  parseDay,
  parsePeriod,
  parseReportEnd,
  type ReportChoices,
} from './report-choices.js';

interface ReportOptions extends FinanceOptions, ReportChoices {
  readonly asOf?: ReportEnd;
  readonly checkFiles?: boolean;
  readonly accounts?: string;
}

@Options({
  '--period <month>': ['the booked period, 2026-01', parsePeriod, { required: true }],
  '--as-of <end>': [
    'the size of a checkpoint, an instant (the last checkpoint before it), close:2026-01 (that of a closed month), or now (one is made first); the last checkpoint without it',
    parseReportEnd,
  ],
  '--effective-until <day>': [
    'leave out what happened on later days of the period, 2026-01-15',
    parseDay,
  ],
  '--format <format>':
    'table, json, csv or parquet; of the journal also hledger, ledger or beancount',
  '--check-files':
    'read the files of the books for damage first; entries of damaged ones are posted from the log',
  '--accounts <file>': 'CSV with your own numbers and names of accounts, as accounts.csv has them',
  '--out <dir>': 'write the report, accounts.csv and manifest.json to a new folder',
})
abstract class ReportCommand extends FinanceCommand {
  protected abstract readonly report: ReportChoice;

  async run(_: string[], options: ReportOptions): Promise<void> {
    const format = chooseFormat(this.report, options);
    const { period, asOf = 'last' } = options;
    const { name: report } = this.report;
    const question = { report, period, effectiveUntil: chooseDay(options), asOf, format };
    const names = options.accounts === undefined ? undefined : readAccounts(options.accounts);
    await this.withApp(options, (app) =>
      withReport(openSources(app, options), question, ({ books, head, zone }) => {
        const printing = { head, format, zone, table, ...(names && { names }) };
        return this.#answer(books, printing, options);
      }),
    );
  }

  async #answer(
    books: OpenReport['books'],
    printing: Parameters<typeof printReport>[1],
    { out, json }: ReportOptions,
  ): Promise<void> {
    if (out === undefined) {
      await writeOut(printReport(books, printing));
      return;
    }
    const into = { ...printing, folder: out, command: `finance ${this.report.name}` };
    const manifest = await orUnwritable(out, () => writeReportFolder(books, into));
    const names = manifest.files.map(({ name }) => name).join(', ');
    print(json, manifest, `${out} has ${names} and manifest.json.`);
  }
}

/** A reader that stops in the middle, such as `head`, ends the command. */
async function writeOut(pieces: AsyncIterable<string>): Promise<void> {
  for await (const piece of pieces) {
    if (!process.stdout.write(piece)) await once(process.stdout, 'drain');
  }
}

function makeCommand(report: ReportChoice): new () => FinanceCommand {
  @SubCommand({ name: report.name, description: report.description })
  class Report extends ReportCommand {
    protected readonly report = report;
  }
  return Report;
}

/** A command for each report. */
export const REPORT_COMMANDS = REPORTS.map(makeCommand);
