import { JOURNAL_COLUMNS, type JournalRow } from '#domain/bookkeeping';
import { writeJournalCsv } from '../csv/journal-csv.js';
import { writeJournal } from '../journals/write-journal.js';
import { gatherPieces } from '../pieces.js';
import type { ComputedReport, PrintOptions } from './computed-report.js';
import { sumTotals } from './control-totals.js';
import { isJournalFormat } from './formats.js';
import { toJsonEntry } from './journal-json.js';
import { readJournal, readPlacedJournal, selectJournal } from './journal.js';
import type { PeriodBooks } from './period-books.js';
import { describeHead, type ReportHead } from './report-head.js';

/** The columns of an entry on a terminal. */
const SHOWN = ['entry', 'effective_on', 'account', 'amount', 'currency', 'rule', 'payment'];
const SHOWN_COLUMNS = SHOWN.flatMap((name) => JOURNAL_COLUMNS.filter((one) => one.name === name));

/** The journal of a period: its rows are read each time, since there may be millions of them. */
export class JournalReport implements ComputedReport {
  constructor(private readonly books: PeriodBooks) {}

  async *print({ head, format, zone, names, table }: PrintOptions): AsyncGenerator<string> {
    const { books } = this;
    if (isJournalFormat(format)) {
      const totals = await sumTotals(books);
      const options = { zone, totals, ...(names && { names }) };
      yield* writeJournal(format, readPlacedJournal(books, zone), options);
    } else if (format === 'csv') yield* writeJournalCsv(readJournal(books));
    else if (format === 'json') yield* gatherPieces(printJson(head, readJournal(books)));
    else {
      const rows: string[][] = [];
      for await (const row of readJournal(books)) rows.push(toShown(row));
      const titles = SHOWN.map((name) => name.toUpperCase());
      yield `${describeHead(head)}\n${table(titles, rows)}\n`;
    }
  }

  select(): string {
    return selectJournal(this.books);
  }

  async count(): Promise<number> {
    const { books, booked } = this.books;
    const [row] = await books.all(`SELECT count(*) AS count FROM entries WHERE ${booked}`);
    return Number(row?.['count'] ?? 0);
  }
}

function toShown(row: JournalRow): string[] {
  return SHOWN_COLUMNS.map(({ value }) => String(value(row) ?? ''));
}

/** One entry a line: a journal may have millions of them. */
async function* printJson(
  head: ReportHead,
  rows: AsyncIterable<JournalRow>,
): AsyncGenerator<string> {
  yield `${JSON.stringify(head).slice(0, -1)},"rows":[`;
  let before = '\n';
  for await (const row of rows) {
    yield `${before}${JSON.stringify(toJsonEntry(row))}`;
    before = ',\n';
  }
  yield '\n]}\n';
}
