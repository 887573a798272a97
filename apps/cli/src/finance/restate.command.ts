import { SubCommand } from 'nest-commander';
import type { JournalRow } from '#domain/bookkeeping';
import {
  type EntryDifference,
  type FinanceApp,
  requireClose,
  restateClose,
  type Restatement,
  printNumber,
} from '#finance';
import { SealReader } from '#sealing';
import { CliError } from '../cli-error.js';
import { print, table } from '../output.js';
import { readBooksIn } from './close-means.js';
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
      const [closed, known] = await findScopes(app, period);
      const restated = await restateClose(closed, known, readBooksIn(options));
      const sizes = { closedAt: closed.upTo.checkpoint.size, knownAt: known.upTo.checkpoint.size };
      const json = { appId: app.appId, period, ...sizes, ...toJson(restated) };
      print(options.json, json, describe(period, sizes, restated));
    });
  }
}

async function findScopes(app: FinanceApp, period: string) {
  const close = await requireClose(app, period);
  const reader = new SealReader(app.store);
  const [at, last] = [await reader.find(close.size), await reader.findLast()];
  if (at === undefined || last === undefined) {
    throw new CliError(`The checkpoint of ${close.size} leaves is not there.`);
  }
  return [
    { app, period, upTo: at },
    { app, period, upTo: last, openFrom: period },
  ] as const;
}

/** Minor units as digits, since they may be beyond 2^53. */
function toJson({ totals, entries }: Restatement) {
  return {
    totals: totals.map(({ account, currency, closedMinor, knownMinor }) => ({
      ...{ account, currency },
      ...{ closedMinor: String(closedMinor), knownMinor: String(knownMinor) },
    })),
    entries: entries.map(({ entry, closed, known }) => ({
      entry,
      closed: toJsonRow(closed),
      known: toJsonRow(known),
    })),
  };
}

function toJsonRow(row: JournalRow | null) {
  if (row === null) return null;
  const { account, side, amountMinor, currency, effectiveOn, eventType, payment } = row;
  return {
    ...{ account, side, amountMinor: String(amountMinor), currency, effectiveOn },
    ...{ eventType, payment },
  };
}

function describe(
  period: string,
  { closedAt, knownAt }: { readonly closedAt: number; readonly knownAt: number },
  { totals, entries }: Restatement,
): string {
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
