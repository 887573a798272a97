import { writeFile } from 'node:fs/promises';
import { SubCommand } from 'nest-commander';
import { badRowViolation, dryRun, type PriceChange, type PriceSheet } from '#domain/price-sheet';
import type { Rounding, TaxRate, TaxRates } from '#domain/pricing';
import { csvField, wallClock } from '#platform';
import {
  collectDoubtfulRows,
  describeDoubtfulRows,
  PriceSheetReader,
  type SheetThatWasRead,
} from '#price-books';
import type { Api } from '../api.js';
import { ApiCommand, type ApiCommandOptions } from '../api-command.js';
import { CliError } from '../cli-error.js';
import { readBytes } from '../files.js';
import { Options } from '../options.js';
import { print, table } from '../output.js';
import { CONFIRM_OPTION } from './sheet.commands.js';

interface DryRunOptions extends ApiCommandOptions {
  readonly csv?: string;
  readonly confirm?: number;
}

/** Both roundings that conversions may ask for: players see either. */
const ROUNDINGS: readonly (Rounding | undefined)[] = [undefined, 'hg'];

@SubCommand({
  name: 'dry-run',
  arguments: '<file>',
  description: 'list every final price that would change if a sheet were uploaded; changes nothing',
})
@Options({
  '--csv <file>': 'write the changes to a file, as CSV',
  ...CONFIRM_OPTION,
})
export class DryRunPriceSheet extends ApiCommand {
  async run([file = '']: string[], options: DryRunOptions): Promise<void> {
    const api = this.api(options);
    const now = wallClock.now();
    const read = readSheet(readBytes(file), now, file);
    const next = read.sheet;
    const taxRates = await fetchTaxRates(api, now);
    const current = await fetchCurrentSheet(api);
    await refuseDoubtfulRows(current, read, options.confirm);
    const changes = ROUNDINGS.map((rounding) => {
      const side = (sheet: PriceSheet | undefined) => ({
        basis: sheet && { sheet, sheetVersion: 0, taxRates },
        rounding,
      });
      return { rounding: rounding ?? 'none', changes: dryRun(side(current), side(next), now) };
    });
    if (options.csv !== undefined) await writeFile(options.csv, renderCsv(changes));
    print(options.json, { dryRuns: changes }, changes.map(describeDryRun).join('\n\n'));
  }
}

interface UploadedVersion {
  readonly version: number;
  readonly current: boolean;
  readonly uploadedAt: string;
}

interface DryRun {
  readonly rounding: string;
  readonly changes: readonly PriceChange[];
}

/** The same reader as the service's: a sheet that it refuses is refused here, before anything is sent. */
function readSheet(bytes: Buffer, at: string, name: string): SheetThatWasRead {
  const reader = new PriceSheetReader(at);
  reader.write(bytes);
  const reading = reader.finish();
  if (reading.accepted) return reading;
  const rows = reading.badRows.map(badRowViolation);
  const lines = rows.map(({ field, description }) => `${field}: ${description}`);
  const unnamed = reading.badRowCount - rows.length;
  if (unnamed > 0) lines.push(`and ${unnamed} more bad rows`);
  throw new CliError(`${name} is no good price sheet; it would be refused.`, 'refused', lines);
}

/** As the upload would (rules/prices 9). @throws CliError. */
async function refuseDoubtfulRows(
  current: PriceSheet | undefined,
  read: SheetThatWasRead,
  confirmed = 0,
): Promise<void> {
  const doubtful = await collectDoubtfulRows(current, read);
  const { count, violations } = doubtful;
  if (count === 0 || count === confirmed) return;
  const lines = violations.map(({ field, description }) => `${field}: ${description}`);
  if (count > lines.length) lines.push(`and ${count - lines.length} more rows`);
  const message = describeDoubtfulRows(doubtful, `--confirm ${count}`);
  throw new CliError(message, 'refused', lines, 'PRICE_SHEET_DOUBTFUL');
}

/** The rates in force, as the one version that there is: a dry run is of this moment. */
async function fetchTaxRates(api: Api, now: string): Promise<TaxRates> {
  const { rates } = await api.json<{ rates: TaxRate[] }>('tax-rates');
  const version = { version: 1, rates, effectiveFrom: now, setBy: '', setAt: now };
  return { versions: [version] };
}

/** Read as of its upload: its countries may have changed their currencies since. */
async function fetchCurrentSheet(api: Api): Promise<PriceSheet | undefined> {
  const { items: versions } = await api.list<UploadedVersion>('price-sheet/versions', 'versions');
  const current = versions.find((version) => version.current);
  if (current === undefined) return undefined;
  const { text } = await api.send(`price-sheet/versions/${current.version}`);
  return readSheet(Buffer.from(text), current.uploadedAt, 'The sheet in force').sheet;
}

function describeDryRun({ rounding, changes }: DryRun): string {
  const prices = changes.length === 1 ? 'one final price' : `${changes.length} final prices`;
  const title = `rounding ${rounding}: ${prices} would change`;
  if (changes.length === 0) return title;
  const rows = changes.map(({ country, priceId, before, after }) => [
    country,
    priceId,
    before === null ? '-' : `${before.currency} ${before.amount}`,
    after === null ? '-' : `${after.currency} ${after.amount}`,
  ]);
  return `${title}\n${table(['country', 'priceId', 'old', 'new'], rows)}`;
}

/** One table for a spreadsheet: an amount is empty where there is no price on that side. */
function renderCsv(dryRuns: readonly DryRun[]): string {
  let csv = 'rounding,country,priceId,oldCurrency,oldAmount,newCurrency,newAmount\n';
  for (const { rounding, changes } of dryRuns) {
    for (const { country, priceId, before, after } of changes) {
      const prices = [before, after].flatMap((price) => [price?.currency, price?.amount]);
      const amounts = prices.map((text) => text ?? '').join();
      csv += `${rounding},${country},${csvField(priceId)},${amounts}\n`;
    }
  }
  return csv;
}
