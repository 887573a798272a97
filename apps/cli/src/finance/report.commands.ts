import process from 'node:process';
import { once } from 'node:events';
import { SubCommand } from 'nest-commander';
import { BooksReader } from '#books';
import { dayAt, firstDay, periodAt, RULES } from '#domain/bookkeeping';
import { financeAggregate, findPolicy } from '#domain/finance';
import {
  PeriodBooks,
  printReport,
  type ReportChoice,
  type ReportHead,
  REPORTS,
  writeReportFolder,
} from '#finance';
import type { FoundCheckpoint } from '#sealing';
import { CliError } from '../cli-error.js';
import { findBooksDir } from '../data-dir.js';
import { orUnwritable } from '../files.js';
import { Options } from '../options.js';
import { print, table } from '../output.js';
import { describeCheckpoint } from '../seal/status.command.js';
import { type AppInHand, FinanceCommand, type FinanceOptions } from './finance-command.js';
import {
  chooseDay,
  chooseFormat,
  parseDay,
  parsePeriod,
  type ReportChoices,
} from './report-choices.js';
import { findCheckpoint, parseReportEnd, type ReportEnd } from './find-checkpoint.js';

interface ReportOptions extends FinanceOptions, ReportChoices {
  readonly asOf?: ReportEnd;
  readonly checkFiles?: boolean;
}

@Options({
  '--period <month>': ['the booked period, 2026-01', parsePeriod, { required: true }],
  '--as-of <end>': [
    'the size of a checkpoint, an instant (the last checkpoint before it), or now (one is made first); the last checkpoint without it',
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
  '--out <dir>': 'write the report, accounts.csv and manifest.json to a new folder',
})
abstract class ReportCommand extends FinanceCommand {
  protected abstract readonly report: ReportChoice;

  async run(_: string[], options: ReportOptions): Promise<void> {
    const format = chooseFormat(this.report, options);
    const { period } = options;
    const effectiveUntil = chooseDay(options);
    await this.withApp(options, async (app) => {
      const zone = await findZone(app, period);
      const upTo = await findCheckpoint(app.store, options.asOf, options);
      await BooksReader.with(describeReading(app, options, upTo), async (reader) => {
        const books = await PeriodBooks.open(reader, { period, effectiveUntil });
        const head = this.#describe(app, { ...books.scope, upTo, at: reader.asOf });
        await this.#answer(books, { head, format, zone, table }, options);
      });
    });
  }

  async #answer(
    books: PeriodBooks,
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

  #describe(
    { appId, context }: AppInHand,
    { upTo, at, period, effectiveUntil }: Described,
  ): ReportHead {
    const { size, root, origin } = describeCheckpoint(upTo);
    return {
      ...{ report: this.report.name, app: appId, environment: context.environment },
      ...{ period, effectiveUntil, checkpoint: { size, root, origin, at }, rules: RULES },
    };
  }
}

/** The accounting zone of a period. @throws CliError for a period that has not begun by the app's clock. */
async function findZone({ appId, commands, context }: AppInHand, period: string): Promise<string> {
  const { state } = await commands.load(financeAggregate, appId);
  const { zone } = findPolicy(state, firstDay(period));
  const now = periodAt(dayAt(context.now, zone));
  if (period <= now) return zone;
  throw new CliError(`${period} has not begun: the app's clock is in ${now}.`);
}

interface Described extends Pick<ReportHead, 'period' | 'effectiveUntil'> {
  readonly upTo: FoundCheckpoint;
  readonly at: string;
}

function describeReading(
  { appId, store, context }: AppInHand,
  options: ReportOptions,
  upTo: FoundCheckpoint,
) {
  return {
    ...{ store, app: appId, environment: context.environment, upTo },
    checksFiles: options.checkFiles === true,
    folder: findBooksDir(options, process.env),
  };
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
