import pMap, { pMapSkip } from 'p-map';
import { deriveSettlementId } from '#domain/ids';
import { type ParsedRow, settlementAggregate } from '#domain/settlement';
import { CliError } from '../cli-error.js';
import type { AppInHand } from './finance-command.js';
import type { ReportRow } from './read-report.js';

/** Rows are appended side by side: each is a stream of its own. */
const CONCURRENCY = 16;
/** So many of the rows that are refused are named. */
const NAMED_ROWS = 50;

/** The outcome of an import. */
export interface ImportReport {
  readonly appId: string;
  readonly rows: number;
  /** Rows that are new. */
  imported: number;
  /** Rows whose payout is new. */
  noted: number;
  /** Rows that were imported before, as they are. */
  known: number;
  /** Rows that name another app. */
  ofOtherApps: number;
  /** Rows that were imported before with other figures, or in another payout; both are named. */
  readonly differing: string[];
}

/** Looks at all rows before the first one is imported. @throws CliError `usage` with the rows that cannot be. */
export async function checkRows(rows: AsyncIterable<ReportRow>, file: string): Promise<number> {
  let count = 0;
  let refused = 0;
  const details: string[] = [];
  for await (const row of rows) {
    count += 1;
    if (!('violations' in row)) continue;
    refused += 1;
    if (refused > NAMED_ROWS) continue;
    details.push(...row.violations.map(({ field, description }) => `${field}: ${description}`));
  }
  if (refused === 0) return count;
  if (refused > NAMED_ROWS) details.push(`and ${refused - NAMED_ROWS} rows more`);
  const message = `${refused} rows of ${file} cannot be imported; none was.`;
  throw new CliError(message, 'usage', details, 'ROWS_REFUSED');
}

/** Imports rows that were checked; the same import once more goes on with the rest. @throws Fault. */
export async function importRows(
  app: AppInHand,
  rows: AsyncIterable<ReportRow>,
  count: number,
): Promise<ImportReport> {
  const { appId } = app;
  const counts = { imported: 0, noted: 0, known: 0, ofOtherApps: 0 };
  const report: ImportReport = { appId, rows: count, ...counts, differing: [] };
  const take = async (row: ReportRow) => {
    if ('row' in row) await importRow(app, row, row.number, report);
    return pMapSkip;
  };
  await pMap(rows, take, { concurrency: CONCURRENCY });
  return report;
}

async function importRow(
  { appId, commands, context }: AppInHand,
  { row, payout, appId: named }: ParsedRow,
  number: number,
  report: ImportReport,
): Promise<void> {
  if (named !== '' && named !== appId) {
    report.ofOtherApps += 1;
    return;
  }
  const id = deriveSettlementId(appId, row.transactionId);
  const command = { kind: 'ImportRow', row, payout } as const;
  const result = await commands.execute(settlementAggregate, id, command, context);
  if (!result.accepted) {
    const { code, detail = code } = result.rejection;
    report.differing.push(`row ${number}, ${row.transactionId}: ${detail}`);
    return;
  }
  const types = result.events.map(({ type }) => type);
  if (types.includes('settlement.row_imported.v1')) report.imported += 1;
  else if (types.includes('settlement.payout_noted.v1')) report.noted += 1;
  else report.known += 1;
}
