import { createReadStream } from 'node:fs';
import type { FieldViolation } from '#domain/decider';
import { findMissingColumns, type ParsedRow, parseStripeRow } from '#domain/settlement';
import { CsvReader } from '#platform';
import { CliError } from '../cli-error.js';

/** Stripe's reports have some sixty columns, and as many more as an account asks for metadata. */
const MAX_COLUMNS = 500;

/** A row of a report, or the reasons why it is none. */
export type ReportRow = { readonly number: number } & (
  ParsedRow | { readonly violations: readonly FieldViolation[] }
);

/**
 * Reads an itemized report of Stripe's, row by row, whatever its size.
 *
 * @param zone of its times that are not of UTC. @param onBytes takes the number of bytes that were read.
 * @throws CliError `usage` for a file that is no such report.
 */
export async function* readReport(
  file: string,
  zone: string,
  onBytes: (count: number) => void = () => undefined,
): AsyncGenerator<ReportRow> {
  let rows: ReportRow[] = [];
  let columns: readonly string[] | undefined;
  const reader = new CsvReader(({ line: number, fields, malformed }) => {
    if (columns === undefined) columns = requireColumns(fields, file);
    else if (malformed !== null) rows.push(refuse(number, malformed));
    else if (fields.length !== columns.length) {
      rows.push(refuse(number, `has ${fields.length} fields, and the first row ${columns.length}`));
    } else {
      const cells = columns.map((name, index) => [name, fields[index] ?? ''] as const);
      rows.push({ number, ...parseStripeRow(Object.fromEntries(cells), number, zone) });
    }
  }, MAX_COLUMNS);
  for await (const piece of createReadStream(file, 'utf8')) {
    // A stream with an encoding gives texts.
    const text = piece as string;
    onBytes(Buffer.byteLength(text));
    reader.write(text);
    yield* rows;
    rows = [];
  }
  reader.end();
  yield* rows;
  if (columns === undefined) requireColumns([], file);
}

function refuse(number: number, description: string): ReportRow {
  return { number, violations: [{ field: `row ${number}`, description }] };
}

function requireColumns(columns: readonly string[], file: string): readonly string[] {
  const missing = findMissingColumns(columns);
  if (missing.length === 0) return columns;
  const message = `${file} is no itemized report of Stripe's: it lacks columns.`;
  throw new CliError(message, 'usage', missing, 'COLUMNS_MISSING');
}
