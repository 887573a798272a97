import { JOURNAL_FORMATS, type JournalFormat } from '../accounts/name-rules.js';
import { lostToDunning } from './lost-to-dunning.js';
import { mrr } from './mrr.js';
import { mrrMovements } from './mrr-movements.js';
import { payouts } from './payouts.js';
import { deferred } from './deferred.js';
import type { SummaryReport } from './report.js';
import { revenue } from './revenue.js';
import { tax } from './tax.js';
import { trialBalance } from './trial-balance.js';
import { waterfall } from './waterfall.js';

/** Reports of rows of their own, by their names: most of them are sums. */
const SUMMARIES: ReadonlyMap<string, SummaryReport> = new Map(
  [
    ...[trialBalance, deferred, waterfall, revenue, tax],
    ...[mrr, mrrMovements, lostToDunning, payouts],
  ].map((report) => [report.name, report]),
);
export const JOURNAL = 'journal';

const SUMMARY_FORMATS = ['table', 'json', 'csv', 'parquet'] as const;
export type ReportFormat = (typeof SUMMARY_FORMATS)[number] | JournalFormat;

/** A report as a user chooses it. */
export interface ReportChoice {
  readonly name: string;
  readonly description: string;
  readonly formats: readonly ReportFormat[];
}

/** All reports. */
export const REPORTS: readonly ReportChoice[] = [
  ...[...SUMMARIES.values()].map(({ name, description }) => ({
    ...{ name, description, formats: SUMMARY_FORMATS },
  })),
  {
    name: JOURNAL,
    description: 'the entries of a period, and what was earned in it as entries',
    formats: [...SUMMARY_FORMATS, ...JOURNAL_FORMATS],
  },
];

/** The report with a name that sums; undefined for the journal. */
export function findSummary(name: string): SummaryReport | undefined {
  return SUMMARIES.get(name);
}

export function isJournalFormat(format: ReportFormat): format is JournalFormat {
  return JOURNAL_FORMATS.some((each) => each === format);
}
