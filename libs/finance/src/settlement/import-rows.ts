import pMap, { pMapSkip } from 'p-map';
import type { FieldViolation } from '#domain/decider';
import { deriveSettlementId } from '#domain/ids';
import { type ParsedRow, settlementAggregate } from '#domain/settlement';
import type { FinanceApp } from '../finance-app.js';
import { FinanceRefusal } from '../finance-refusal.js';
import type { Rows } from '../pieces.js';
import type { ReportedRow } from './read-stripe-report.js';

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

/** Rows that come from their beginning on each time that they are asked for. */
interface ImportedRows {
  /** For messages. */
  readonly name: string;
  readonly read: () => Rows<ReportedRow>;
}

/**
 * Looks at all rows, and then imports them; the same import once more goes on with the rest.
 *
 * @param onChecked takes the number of rows when all of them may be imported.
 * @throws FinanceRefusal with the rows that cannot be imported: then none is. Fault of the store.
 */
export async function importRows(
  app: FinanceApp,
  { name, read }: ImportedRows,
  onChecked: () => void = () => undefined,
): Promise<ImportReport> {
  const count = await checkRows(read(), name);
  onChecked();
  const { appId } = app;
  const counts = { imported: 0, noted: 0, known: 0, ofOtherApps: 0 };
  const report: ImportReport = { appId, rows: count, ...counts, differing: [] };
  const take = async (row: ReportedRow) => {
    if ('row' in row) await importRow(app, row, row.number, report);
    return pMapSkip;
  };
  await pMap(read(), take, { concurrency: CONCURRENCY });
  return report;
}

async function checkRows(rows: Rows<ReportedRow>, name: string): Promise<number> {
  let count = 0;
  let refused = 0;
  const violations: FieldViolation[] = [];
  for await (const row of rows) {
    count += 1;
    if (!('violations' in row)) continue;
    refused += 1;
    if (refused <= NAMED_ROWS) violations.push(...row.violations);
  }
  if (refused === 0) return count;
  const more = refused - NAMED_ROWS;
  if (more > 0) violations.push({ field: 'further rows', description: `${more} cannot, either` });
  const message = `${refused} rows of ${name} cannot be imported; none was.`;
  throw new FinanceRefusal('ROWS_REFUSED', message, violations);
}

async function importRow(
  { appId, commands, context }: FinanceApp,
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
