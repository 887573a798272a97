import { createHash } from 'node:crypto';
import type { ClosedReport } from '#domain/finance';
import { REPORTS } from '../report/formats.js';
import type { PeriodBooks } from '../report/period-books.js';
import type { ComputedReport } from '../report/computed-report.js';
import { computeReport } from '../report/print-report.js';
import type { ReportHead } from '../report/report-head.js';

/** The reports of a close, each as JSON and as CSV: other reports are of no one period's books. */
const REPORTS_OF_CLOSE = ['trial-balance', 'journal', 'deferred', 'waterfall', 'revenue', 'tax'];
const FORMATS = ['json', 'csv'] as const;

/** The names of a close's reports, `trial-balance.json`. */
const CLOSED_REPORTS: readonly string[] = REPORTS_OF_CLOSE.flatMap((report) =>
  FORMATS.map((format) => `${report}.${format}`),
);

/**
 * The SHA-256 of each report as `subledger finance` prints it.
 *
 * @param names those of a close; one that this release does not have is left out. @throws as `printReport`.
 */
export async function hashReports(
  books: PeriodBooks,
  head: Omit<ReportHead, 'report'>,
  names: readonly string[] = CLOSED_REPORTS,
): Promise<ClosedReport[]> {
  const reports: ClosedReport[] = [];
  const computed = new Map<string, ComputedReport>();
  for (const name of names) {
    const [report = '', ending = ''] = name.split('.');
    const format = FORMATS.find((each) => each === ending);
    if (format === undefined || !REPORTS.some((each) => each.name === report)) continue;
    const hash = createHash('sha256');
    const printing = { head: { report, ...head }, format, zone: 'UTC', table: () => '' };
    const rows = computed.get(report) ?? (await computeReport(books, report));
    computed.set(report, rows);
    for await (const piece of rows.print(printing)) hash.update(piece);
    reports.push({ name, hash: hash.digest('hex') });
  }
  return reports;
}
