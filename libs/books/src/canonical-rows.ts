/**
 * The canonical line of a row (rules/books 1), whose SHA-256 outlives writers of Parquet: the columns of the Parquet in
 * their order, each as text, with tabs between and a line feed behind. Days are `2026-01-31`, `booked_at` is milliseconds
 * since 1970, nothing stands for null, and in texts `%`, tab, line feed and carriage return are `%25`, `%09`, `%0A` and
 * `%0D`. It is also the form in which DuckDB is given rows.
 */
import { JOURNAL_COLUMNS, type JournalRow } from '#domain/bookkeeping';
import type { Environment } from '#domain/event';
import { sqlText } from './duckdb.js';

type JournalColumn = (typeof JOURNAL_COLUMNS)[number];
type ParquetColumn = JournalColumn & Required<Pick<JournalColumn, 'parquet'>>;

/** The columns of the Parquet. */
const PARQUET_COLUMNS = JOURNAL_COLUMNS.filter(
  (column): column is ParquetColumn => column.parquet !== undefined,
);

const ESCAPED = /[%\t\n\r]/;
const ESCAPES = [
  ['%', '%25'],
  ['\t', '%09'],
  ['\n', '%0A'],
  ['\r', '%0D'],
] as const;

/** The order of rows in files, as compareRows has it: the number and the recognised period are parts of the entry's id. */
export const ROW_ORDER =
  "app, leaf, split_part(split_part(entry, '#', 2), '/', 1)::INTEGER, split_part(entry, '/', 2)";

/** The canonical line of a row, with its line feed. */
export function toCanonicalLine(row: JournalRow): string {
  return `${PARQUET_COLUMNS.map((column) => printCell(column, row)).join('\t')}\n`;
}

function printCell({ parquet, value }: ParquetColumn, row: JournalRow): string {
  const cell = value(row);
  if (cell === null) return '';
  if (typeof cell !== 'string') return String(cell);
  if (parquet === 'TIMESTAMPTZ') return String(Date.parse(cell));
  return ESCAPED.test(cell) ? escape(cell) : cell;
}

function escape(text: string): string {
  return ESCAPES.reduce((left, [from, to]) => left.replaceAll(from, to), text);
}

/** A query for the rows in a file of canonical lines. */
export function selectStaged(file: string): string {
  const types = PARQUET_COLUMNS.map(({ name, parquet }) => {
    return `${sqlText(name)}: ${sqlText(parquet === 'TIMESTAMPTZ' ? 'BIGINT' : parquet)}`;
  });
  const texts = PARQUET_COLUMNS.filter(({ parquet }) => parquet === 'VARCHAR');
  const options = [
    "auto_detect = false, header = false, delim = '\t', quote = '', escape = '', nullstr = ''",
    // An empty text is one: only columns of other types have nulls.
    `force_not_null = [${texts.map(({ name }) => sqlText(name)).join(', ')}]`,
    `columns = {${types.join(', ')}}`,
  ];
  const columns = PARQUET_COLUMNS.map(selectStagedColumn).join(', ');
  return `SELECT ${columns} FROM read_csv(${sqlText(file)}, ${options.join(', ')})`;
}

function selectStagedColumn({ name, parquet }: ParquetColumn): string {
  if (parquet === 'TIMESTAMPTZ') return `make_timestamptz("${name}" * 1000) AS "${name}"`;
  if (parquet !== 'VARCHAR') return `"${name}"`;
  const read = [...ESCAPES].reverse().reduce((left, [to, from]) => {
    return `replace(${left}, ${sqlText(from)}, ${sqlText(to)})`;
  }, `"${name}"`);
  return `CASE WHEN contains("${name}", '%') THEN ${read} ELSE "${name}" END AS "${name}"`;
}

/** A query for the canonical lines of the rows of a file, as bytes, in its order. */
export function selectCanonicalLines(file: string): string {
  return selectLines(`read_parquet(${sqlText(file)})`, '');
}

/** A query for the canonical lines of a relation's rows, as bytes. @param order may be empty. */
export function selectLines(relation: string, order: string): string {
  const sorted = order === '' ? '' : ` ORDER BY ${order}`;
  return `SELECT encode(concat(${concatColumns([])}, chr(10))) FROM ${relation}${sorted}`;
}

/** A query for lines that `readRowLine` reads: the booked period, and the canonical line. @param order may be empty. */
export function selectRowLines(relation: string, order: string): string {
  const sorted = order === '' ? '' : ` ORDER BY ${order}`;
  return `SELECT ${concatColumns(['period'])} FROM ${relation}${sorted}`;
}

/** A relation with the columns of the books and no rows. */
export const NO_ROWS = `(SELECT ${[
  ...PARQUET_COLUMNS.map(({ name, parquet }) => `NULL::${parquet} AS "${name}"`),
  ...['environment', 'period'].map((name) => `NULL::VARCHAR AS ${name}`),
].join(', ')} WHERE false)`;

/** Few rows have a character that is escaped: looking for one in all texts together takes a tenth of the time. */
function concatColumns(before: readonly string[]): string {
  const texts = PARQUET_COLUMNS.filter(({ parquet }) => parquet === 'VARCHAR');
  const all = `concat(${texts.map(({ name }) => `"${name}"`).join(', ')})`;
  const isEscaped = ESCAPES.map(([character]) => `contains(${all}, ${sqlText(character)})`);
  const escaped = concatAll(before, (name) => printText(name));
  const plain = concatAll(before, (name) => `"${name}"`);
  return `CASE WHEN ${isEscaped.join(' OR ')} THEN ${escaped} ELSE ${plain} END`;
}

function concatAll(before: readonly string[], print: (name: string) => string): string {
  const columns = PARQUET_COLUMNS.map(({ name, parquet }) => {
    if (parquet === 'VARCHAR') return print(name);
    const value = parquet === 'TIMESTAMPTZ' ? `epoch_ms("${name}")` : `"${name}"`;
    return `coalesce(${value}::VARCHAR, '')`;
  });
  return `concat_ws('\t', ${[...before, ...columns].join(', ')})`;
}

/** The row of a line of `selectRowLines`. */
export function readRowLine(line: string, environment: Environment): JournalRow {
  const [period = '', ...cells] = line.split('\t');
  const texts = new Map(PARQUET_COLUMNS.map(({ name }, at) => [name, unescape(cells[at] ?? '')]));
  const text = (name: string) => texts.get(name) ?? '';
  const orNull = (name: string) => text(name) || null;
  const [of = '', recognized = ''] = text('entry').split('/');
  const side = text('debit_minor') === '' ? 'credit' : 'debit';
  const version = orNull('tax_rates_version');
  return {
    ...{ app: text('app'), environment, eventId: text('event_id'), recognized, period },
    number: Number(of.slice(of.lastIndexOf('#') + 1)),
    leaf: BigInt(text('leaf')),
    bookedAt: new Date(Number(text('booked_at'))).toISOString(),
    ...{ effectiveOn: text('effective_on'), late: text('late') === 'true' },
    ...{ account: text('account'), side, amountMinor: BigInt(text(`${side}_minor`)) },
    ...{ currency: text('currency'), rule: text('rule'), eventType: text('event_type') },
    ...{ stream: text('stream'), payment: text('payment'), order: text('order') },
    ...{ subscription: text('subscription'), plan: text('plan'), itemClass: text('item_class') },
    ...{ country: text('country'), taxRate: text('tax_rate') },
    taxRatesVersion: version === null ? null : Number(version),
    ...{ coversFrom: orNull('covers_from'), coversUntil: orNull('covers_until') },
    ...{ gatewayRef: text('gateway_ref'), actor: text('actor'), reason: text('reason') },
  };
}

function unescape(text: string): string {
  if (!text.includes('%')) return text;
  return [...ESCAPES].reverse().reduce((left, [to, from]) => left.replaceAll(from, to), text);
}

function printText(name: string): string {
  const written = ESCAPES.reduce((left, [from, to]) => {
    return `replace(${left}, ${sqlText(from)}, ${sqlText(to)})`;
  }, `"${name}"`);
  return `CASE WHEN regexp_matches("${name}", '[%\t\n\r]') THEN ${written} ELSE "${name}" END`;
}
