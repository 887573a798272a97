import { lastDay } from '#domain/bookkeeping';
import {
  A_DAY,
  A_MONTH,
  AN_END,
  isDay,
  isDayIn,
  isPeriod,
  readReportEnd,
  type ReportChoice,
  type ReportEnd,
  type ReportFormat,
} from '#finance';
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
  if (isPeriod(value)) return value;
  throw refuse(name, A_MONTH, value);
}

/** @throws CliError `usage`. */
export function parseDay(value: string, name: string): string {
  if (isDay(value)) return value;
  throw refuse(name, A_DAY, value);
}

/** @throws CliError `usage`. */
export function parseReportEnd(value: string, name: string): ReportEnd {
  const end = readReportEnd(value);
  if (end !== undefined) return end;
  throw refuse(name, AN_END, value);
}

/** The last day that counts. @throws CliError `usage` for a day of another period. */
export function chooseDay({ period, effectiveUntil }: ReportChoices): string {
  if (effectiveUntil === undefined) return lastDay(period);
  if (isDayIn(period, effectiveUntil)) return effectiveUntil;
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
