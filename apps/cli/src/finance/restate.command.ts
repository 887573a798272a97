import { SubCommand } from 'nest-commander';
import type { JournalRow } from '#domain/bookkeeping';
import {
  type EntryDifference,
  printNumber,
  restateClose,
  type Restatement,
  toJsonRestatement,
} from '#finance';
import { print, table } from '../output.js';
import { openSources } from './close-means.js';
import { FinanceCommand, type FinanceOptions } from './finance-command.js';
import { parsePeriod } from './report-choices.js';

@SubCommand({
  name: 'restate',
  arguments: '<period>',
  description:
    'show a closed month beside what is known of it at the last checkpoint, with every entry of the difference; changes nothing',
})
export class RestateClose extends FinanceCommand {
  async run([given = '']: string[], options: FinanceOptions): Promise<void> {
    const period = parsePeriod(given, 'PERIOD');
    await this.withApp(options, async (app) => {
      const restated = await restateClose(app, period, openSources(app, options).withBooks);
      const json = { appId: app.appId, ...toJsonRestatement(restated) };
      print(options.json, json, describe(restated));
    });
  }
}

function describe({ period, closedAt, knownAt, totals, entries }: Restatement): string {
  const head = `${period} as it was closed (leaf ${closedAt}) and as it is known (leaf ${knownAt})`;
  const sums = totals.map(({ account, currency, closedMinor, knownMinor }) => [
    ...[account, currency, printNumber(closedMinor, currency), printNumber(knownMinor, currency)],
    printNumber(knownMinor - closedMinor, currency),
  ]);
  const balance = table(['ACCOUNT', 'CURRENCY', 'CLOSED', 'KNOWN', 'DIFFERENCE'], sums);
  if (entries.length === 0) return `${head}\n${balance}\nNothing else is known of it.`;
  const rows = entries.map(toCells);
  return [head, balance, table(['ENTRY', 'DAY', 'ACCOUNT', 'CLOSED', 'KNOWN'], rows)].join('\n');
}

function toCells({ entry, closed, known }: EntryDifference): string[] {
  const { effectiveOn = '', account = '' } = known ?? closed ?? {};
  return [entry, effectiveOn, account, sayRow(closed), sayRow(known)];
}

/** A debit above zero. */
function sayRow(row: JournalRow | null): string {
  if (row === null) return '-';
  const { side, amountMinor, currency } = row;
  return printNumber(side === 'debit' ? amountMinor : -amountMinor, currency);
}
