import type { FieldViolation } from '#domain/decider';
import { findMissingColumns, type ParsedRow, parseStripeRow } from '#domain/settlement';
import { CsvReader } from '#platform';
import { FinanceRefusal } from '../finance-refusal.js';

/** Stripe's reports have some sixty columns, and as many more as an account asks for metadata. */
const MAX_COLUMNS = 500;

/** A row of a report, or the reasons why it is none. */
export type ReportedRow = { readonly number: number } & (
  ParsedRow | { readonly violations: readonly FieldViolation[] }
);

/** An itemized report of Stripe's as a text. */
export interface StripeReport {
  /** For messages. */
  readonly name: string;
  /** Of times that are not of UTC. */
  readonly zone: string;
  /** The text from its beginning on, in pieces: it is read more than once. */
  readonly open: () => Iterable<string> | AsyncIterable<string>;
}

/** Reads a report row by row, whatever its size. @throws FinanceRefusal for a text that is no such report. */
export async function* readStripeReport({
  name,
  zone,
  open,
}: StripeReport): AsyncGenerator<ReportedRow> {
  let rows: ReportedRow[] = [];
  let columns: readonly string[] | undefined;
  const reader = new CsvReader(({ line: number, fields, malformed }) => {
    if (columns === undefined) columns = requireColumns(fields, name);
    else if (malformed !== null) rows.push(refuse(number, malformed));
    else if (fields.length !== columns.length) {
      rows.push(refuse(number, `has ${fields.length} fields, and the first row ${columns.length}`));
    } else {
      const cells = columns.map((column, index) => [column, fields[index] ?? ''] as const);
      rows.push({ number, ...parseStripeRow(Object.fromEntries(cells), number, zone) });
    }
  }, MAX_COLUMNS);
  for await (const text of open()) {
    reader.write(text);
    yield* rows;
    rows = [];
  }
  reader.end();
  yield* rows;
  if (columns === undefined) requireColumns([], name);
}

function refuse(number: number, description: string): ReportedRow {
  return { number, violations: [{ field: `row ${number}`, description }] };
}

function requireColumns(columns: readonly string[], name: string): readonly string[] {
  const missing = findMissingColumns(columns);
  if (missing.length === 0) return columns;
  const message = `${name} is no itemized report of Stripe's: it lacks columns.`;
  const violations = missing.map((field) => ({ field, description: 'is missing' }));
  throw new FinanceRefusal('COLUMNS_MISSING', message, violations);
}
