import { describe, expect, it } from 'vitest';
import { JOURNAL_COLUMNS, type JournalRow } from '#domain/bookkeeping';
import { CsvReader } from '#platform';
import { HOSTILE_TEXTS, makeJournalRows } from '../spec-support/journal-story.js';
import { join } from '../spec-support/join.js';
import { writeCsv } from './csv-writer.js';
import { guardText, unguardText } from './guard-text.js';
import { writeJournalCsv } from './journal-csv.js';

describe('journal.csv', () => {
  const rows = makeJournalRows(1, 40);

  it('is RFC 4180: a header, CRLF, and as many fields in each record', async () => {
    const text = await join(writeJournalCsv(rows));
    const records = read(text);
    expect(text.replaceAll('\r\n', '').includes('\r')).toBe(false);
    expect(text.endsWith('\r\n')).toBe(true);
    expect(records.map(({ length }) => length)).toEqual(
      Array.from({ length: rows.length + 1 }, () => JOURNAL_COLUMNS.length),
    );
    expect(records[0]).toEqual(JOURNAL_COLUMNS.map(({ name }) => name));
  });

  it('gives back each text, where the guard is taken off', async () => {
    const records = read(await join(writeJournalCsv(rows))).slice(1);
    const ofReason = JOURNAL_COLUMNS.findIndex(({ name }) => name === 'reason');
    expect(records.map((cells) => unguardText(cells[ofReason] ?? ''))).toEqual(
      rows.map(({ reason }) => reason),
    );
  });

  it('has no text that a spreadsheet would run', async () => {
    const records = read(await join(writeJournalCsv(rows))).slice(1);
    const begins = new Set(
      records.flatMap((cells) => cells.filter((_, at) => at !== AMOUNT)).map((cell) => cell[0]),
    );
    expect(['=', '+', '-', '@'].filter((sign) => begins.has(sign))).toEqual([]);
  });

  it('leaves ids of ours, months, days and instants as they are', async () => {
    const [row = rows[0] as JournalRow] = rows;
    const [, cells = []] = read(await join(writeJournalCsv([row])));
    const named = Object.fromEntries(JOURNAL_COLUMNS.map(({ name }, at) => [name, cells[at]]));
    expect(named).toMatchObject({
      ...{ entry: `${row.eventId}#1`, event_id: row.eventId, app: row.app, payment: row.payment },
      ...{ booked_at: row.bookedAt, effective_on: row.effectiveOn, period: row.period },
    });
  });

  it('prints amounts beyond floating point with all digits, and a credit as a number', async () => {
    const [row] = rows;
    const credit = { ...row, amountMinor: 2n ** 63n + 7n, currency: 'KWD', side: 'credit' };
    const [, cells = []] = read(await join(writeJournalCsv([credit as JournalRow])));
    expect(cells.slice(AMOUNT - 2, AMOUNT + 3)).toEqual([
      ...['', '9223372036854775815', '-9223372036854775.815', 'KWD', '3'],
    ]);
  });
});

const AMOUNT = JOURNAL_COLUMNS.findIndex(({ name }) => name === 'amount');

describe('a CSV report', () => {
  it('prints each kind of cell, and its columns as they are named', async () => {
    const columns = [
      {
        name: 'a, b',
        value: ({ cell }: { readonly cell: string | bigint | boolean | null }) => cell,
      },
      { name: 'rate', value: () => '-0.50', isDecimal: true },
      { name: 'no rate', value: () => '-0.50 a day', isDecimal: true },
    ];
    const rows = ['x"y', 12n, true, null].map((cell) => ({ cell }));
    expect((await join(writeCsv(columns, rows))).split('\r\n')).toEqual([
      '"a, b",rate,no rate',
      `"x""y",-0.50,'-0.50 a day`,
      `12,-0.50,'-0.50 a day`,
      `true,-0.50,'-0.50 a day`,
      `,-0.50,'-0.50 a day`,
      '',
    ]);
  });
});

describe('the guard against spreadsheets', () => {
  it.each([
    ...[
      '=1+1',
      '+1',
      '-1',
      '@x',
      '\t=1',
      '\r=1',
      '0012',
      '1e5',
      '1.50',
      '12345678901234567',
      '-0.5',
    ],
  ])('puts an apostrophe in front of %j, and takes it off', (text) => {
    expect(guardText(text)).toBe(`'${text}`);
    expect(unguardText(guardText(text))).toBe(text);
  });

  it.each(['', 'pay_1', '1200', '0', 'a=1', '2026-01', "'quoted'", '1e3f0000-0000-4000-8000-1'])(
    'leaves %j as it is',
    (text) => {
      expect([guardText(text), unguardText(text)]).toEqual([text, text]);
    },
  );

  it('is needed by the texts that the stories have', () => {
    expect(HOSTILE_TEXTS.filter((text) => guardText(text) !== text).length).toBeGreaterThan(3);
  });
});

function read(text: string): (readonly string[])[] {
  const records: (readonly string[])[] = [];
  const reader = new CsvReader(({ fields, malformed }) => {
    expect(malformed).toBeNull();
    records.push(fields);
  }, JOURNAL_COLUMNS.length + 1);
  reader.write(text);
  reader.end();
  return records;
}
