import { firstDay, lastDay } from '#domain/bookkeeping';
import type { ReportChoice, ReportFormat } from '#finance';
import { CliError } from '../cli-error.js';

/** The options of a report that are looked at before anything is asked. */
export interface ReportChoices {
  readonly period: string;
  readonly effectiveUntil?: string;
  readonly format?: string;
  readonly json?: boolean;
  readonly out?: string;
}

/** @throws CliError `usage`. */
export function parsePeriod(value: string, name: string): string {
  if (/^\d{4}-(?:0[1-9]|1[0-2])$/.test(value)) return value;
  throw refuse(name, 'a month, such as 2026-01', value);
}

/** @throws CliError `usage`. */
export function parseDay(value: string, name: string): string {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(value) ? Date.parse(value) : NaN;
  // Some engines take the 30th of February for a day of March.
  if (!Number.isNaN(ms) && new Date(ms).toISOString().startsWith(value)) return value;
  throw refuse(name, 'a day, such as 2026-01-15', value);
}

/** The last day that counts. @throws CliError `usage` for a day of another period. */
export function chooseDay({ period, effectiveUntil }: ReportChoices): string {
  const [first, last] = [firstDay(period), lastDay(period)];
  if (effectiveUntil === undefined) return last;
  if (effectiveUntil >= first && effectiveUntil <= last) return effectiveUntil;
  throw refuse('--effective-until', `a day of ${period}`, effectiveUntil);
}

/** @throws CliError `usage` for a format that the report has not. */
export function chooseFormat(
  { name, formats }: ReportChoice,
  { format, json, out }: ReportChoices,
): ReportFormat {
  const onTerminal = json === true ? 'json' : 'table';
  const wanted = format ?? (out === undefined ? onTerminal : 'csv');
  const found = formats.find((each) => each === wanted);
  if (found === undefined) {
    const message = `${name} has the formats ${formats.join(', ')}, and no ${wanted}.`;
    throw new CliError(message, 'usage');
  }
  if (found !== 'parquet' || out !== undefined) return found;
  throw new CliError('Parquet is no text: say with --out where it goes.', 'usage');
}

function refuse(name: string, wanted: string, value: string): CliError {
  return new CliError(`${name} must be ${wanted}, not ${JSON.stringify(value)}.`, 'usage');
}
