import { type AccountingPeriod, type Day, firstDay, lastDay } from '#domain/bookkeeping';
import { parseInstant } from '#domain/calendar';
import type { FieldViolation } from '#domain/decider';
import type { Instant } from '#domain/event';
import { readAccountNames } from '../accounts/accounts-csv.js';
import type { ReportChoice, ReportFormat } from './formats.js';

/** The end of the entries that a report counts: a checkpoint, by its size, a moment or a close, or made now; the last one. */
export type ReportEnd =
  number | { readonly instant: Instant } | { readonly closed: AccountingPeriod } | 'now' | 'last';

const CLOSE = 'close:';

/** A report as someone asks for it. */
export interface ReportQuestion {
  readonly report: string;
  readonly period: AccountingPeriod;
  /** A day of the period. */
  readonly effectiveUntil: Day;
  readonly asOf: ReportEnd;
  readonly format: ReportFormat;
  /** CSV that maps accounts (rules/finance 22). */
  readonly accounts?: string;
}

/** The texts of a question by their names. */
export interface QuestionTexts {
  readonly period?: string | undefined;
  readonly effectiveUntil?: string | undefined;
  readonly asOf?: string | undefined;
  readonly format?: string | undefined;
  readonly accounts?: string | undefined;
}

/** Everything that is wrong with a question. */
interface BadQuestion {
  readonly violations: readonly FieldViolation[];
}

/** Reads a question of texts; without a format, its answer is JSON. */
export function readQuestion(
  { name: report, formats }: ReportChoice,
  texts: QuestionTexts,
): ReportQuestion | BadQuestion {
  const violations: FieldViolation[] = [];
  const { period = '', effectiveUntil, asOf: end, format: chosen = 'json', accounts } = texts;
  const refuse = (field: string, what: string) => {
    violations.push({ field, description: `must be ${what}` });
  };
  if (!isPeriod(period)) refuse('period', A_MONTH);
  if (effectiveUntil !== undefined) {
    const wanted = describeDay(period, effectiveUntil);
    if (wanted !== undefined) refuse('effectiveUntil', wanted);
  }
  const counted = end === undefined ? 'last' : readReportEnd(end);
  if (counted === undefined) refuse('asOf', AN_END);
  const format = formats.find((each) => each === chosen);
  if (format === undefined) refuse('format', `one of ${formats.join(', ')}`);
  violations.push(...judgeAccounts(accounts));
  if (violations.length > 0 || counted === undefined || format === undefined) return { violations };
  const day = effectiveUntil ?? lastDay(period);
  const mapping = accounts === undefined ? {} : { accounts };
  return { report, period, effectiveUntil: day, asOf: counted, format, ...mapping };
}

/** Every bad row of a mapping. */
function judgeAccounts(text: string | undefined): FieldViolation[] {
  const reading = text === undefined ? undefined : readAccountNames(text);
  if (reading?.accepted !== false) return [];
  return reading.badRows.map(({ line, column, reason }) => ({
    ...{ field: 'accounts', description: `line ${line}, ${column}: ${reason}` },
  }));
}

/** The description of a bad day; undefined for a day of the period, and for any day where that is none. */
function describeDay(period: string, text: string): string | undefined {
  if (!isDay(text)) return A_DAY;
  return isPeriod(period) && !isDayIn(period, text) ? `a day of ${period}` : undefined;
}

export const A_MONTH = 'a month, such as 2026-01';
export const A_DAY = 'a day, such as 2026-01-15';
export const AN_END =
  'the size of a checkpoint, an instant such as 2027-01-31T10:00:00Z, close:2027-01, or now';

export function isPeriod(text: string): boolean {
  return /^\d{4}-(?:0[1-9]|1[0-2])$/.test(text);
}

export function isDay(text: string): boolean {
  const ms = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : NaN;
  // Some engines take the 30th of February for a day of March.
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

export function isDayIn(period: AccountingPeriod, day: Day): boolean {
  return day >= firstDay(period) && day <= lastDay(period);
}

/** The text that `readReportEnd` reads. */
export function printReportEnd(end: ReportEnd): string {
  if (typeof end !== 'object') return String(end);
  return 'closed' in end ? `${CLOSE}${end.closed}` : end.instant;
}

/** Undefined for a text that names none. */
export function readReportEnd(text: string): ReportEnd | undefined {
  if (text === 'now') return text;
  if (/^[1-9]\d{0,14}$/.test(text)) return Number(text);
  if (text.startsWith(CLOSE)) {
    const closed = text.slice(CLOSE.length);
    return isPeriod(closed) ? { closed } : undefined;
  }
  const instant = parseInstant(text);
  return instant === undefined ? undefined : { instant };
}
