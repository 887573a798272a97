import { describe, expect, it } from 'vitest';
import type { JournalRow } from '#domain/bookkeeping';
import { HOSTILE_TEXTS, makeJournalRows } from '../spec-support/journal-story.js';
import { join } from '../spec-support/join.js';
import { sortForJournal, writeWhole } from './spec-support/written-journal.js';
import { JOURNAL_FORMATS, type JournalFormat } from '../accounts/name-rules.js';
import { totalRows } from '../totals.js';
import { writeJournal } from './write-journal.js';

const ZONE = 'Europe/Berlin';
const [sample] = makeJournalRows(1, 1);
const row: JournalRow = {
  ...(sample as JournalRow),
  ...{ eventId: 'e1', leaf: 7n, number: 1, app: 'app_1', payment: 'pay_1', subscription: '' },
  ...{ bookedAt: '2026-01-20T23:30:00.000Z', effectiveOn: '2026-01-15', period: '2026-01' },
  ...{ account: 'assets:gateway-clearing', side: 'debit', amountMinor: 980n, currency: 'JPY' },
  ...{ late: false, eventType: 'payment.captured.v1' },
};
const credit: JournalRow = {
  ...{ ...row, number: 2 },
  ...{ account: 'liabilities:tax-payable:DE', side: 'credit' },
};

describe('a journal', () => {
  it('for hledger has the head, a transaction of an event, and the balances behind it', async () => {
    expect(await writeWhole('hledger', [row, credit], ZONE)).toBe(
      `commodity 1000. JPY

account assets:gateway-clearing
account liabilities:tax-payable:DE

tag ids
tag leaf
tag period
tag effective
tag late

2026-01-21 payment.captured.v1
    ; ids: e1 app_1 pay_1
    ; leaf: 7
    ; period: 2026-01
    ; effective: 2026-01-15
    assets:gateway-clearing  980 JPY
    liabilities:tax-payable:DE  -980 JPY

2026-01-21 balances
    assets:gateway-clearing  0 JPY = 980 JPY
    liabilities:tax-payable:DE  0 JPY = -980 JPY
`,
    );
  });

  it('for ledger declares a currency by its own lines', async () => {
    const rows = [row, credit].map((each) => ({ ...each, currency: 'KWD' }));
    expect((await writeWhole('ledger', rows, ZONE)).split('\n').slice(0, 2)).toEqual([
      'commodity KWD',
      '    format 1000.000 KWD',
    ]);
  });

  it('for beancount has balances at the beginning of the next day, with no tolerance', async () => {
    const late = { late: true, bookedAt: '2026-02-28T12:00:00.000Z', currency: 'KWD' };
    expect(
      await writeWhole(
        'beancount',
        [
          { ...row, ...late },
          { ...credit, ...late },
        ],
        ZONE,
      ),
    ).toBe(
      `2026-02-28 commodity KWD

2026-02-28 open Assets:Gateway-Clearing
2026-02-28 open Liabilities:Tax-Payable:DE

2026-02-28 * "payment.captured.v1"
  ids: "e1 app_1 pay_1"
  leaf: "7"
  period: "2026-01"
  effective: "2026-01-15"
  late: "yes"
  Assets:Gateway-Clearing  0.980 KWD
  Liabilities:Tax-Payable:DE  -0.980 KWD

2026-03-01 balance Assets:Gateway-Clearing  0.980 ~ 0.000 KWD
2026-03-01 balance Liabilities:Tax-Payable:DE  -0.980 ~ 0.000 KWD
`,
    );
  });

  it('has a recognition at its day, and not before the booking of its event', async () => {
    const pair = (period: string) =>
      [row, credit].map((each) => ({
        ...{ ...each, recognized: period, period, effectiveOn: `${period}-28` },
      }));
    const rows = [row, credit, ...pair('2026-01'), ...pair('2025-12')];
    const text = await writeWhole('hledger', rows, ZONE);
    expect(text.match(/^\d.*/gm)).toEqual([
      '2026-01-21 payment.captured.v1',
      '2026-01-21 payment.captured.v1 recognized for 2025-12',
      '2026-01-21 balances',
      '2026-01-28 payment.captured.v1 recognized for 2026-01',
      '2026-01-28 balances',
    ]);
  });

  it('has an entry with a later effective day at the day of its booking', async () => {
    const rows = [row, credit].map((each) => ({ ...each, effectiveOn: '2026-02-15' }));
    const text = await writeWhole('hledger', rows, ZONE);
    expect(text).toContain('2026-01-21 payment.captured.v1\n');
    expect(text).toContain('; effective: 2026-02-15\n');
  });

  it('of no rows is empty', async () => {
    expect(await writeWhole('ledger', [], ZONE)).toBe('');
  });

  it.each(JOURNAL_FORMATS)('for %s has no text of other people', async (format) => {
    const ids = { payment: 'a;b', subscription: '[11/30]', order: 'word: x' };
    const rows = makeJournalRows(3, 60).map((each) => ({ ...each, ...ids }));
    const text = await writeWhole(format, rows, ZONE);
    const texts = [...HOSTILE_TEXTS, ...Object.values(ids)];
    expect(texts.filter((each) => text.includes(` ${each}`))).toEqual([]);
  });

  it('has the effective days of entries beside them where they differ', async () => {
    const other = { effectiveOn: '2026-01-16' };
    const rows = [row, credit, { ...row, ...other, number: 3 }, { ...credit, ...other, number: 4 }];
    const text = await writeWhole('hledger', rows, ZONE);
    expect(text.match(/^ {8}; effective: (.*)/gm)).toEqual([
      ...['        ; effective: 2026-01-15', '        ; effective: 2026-01-15'],
      ...['        ; effective: 2026-01-16', '        ; effective: 2026-01-16'],
    ]);
  });
});

describe('a journal is refused', () => {
  const write = async (
    rows: readonly JournalRow[],
    format: JournalFormat = 'hledger',
    totalled = rows,
  ) => join(writeJournal(format, rows, { zone: ZONE, totals: await totalRows(totalled) }));

  it('where rows are out of order, or one comes twice', async () => {
    await expect(write([credit, row])).rejects.toThrow('rows are out of order: e1#1 of app_1');
    await expect(write([row, row])).rejects.toThrow('rows are out of order');
  });

  it('where test apps and production stand in one', async () => {
    await expect(write([row, { ...credit, environment: 'test' }])).rejects.toThrow(
      'test apps and production in one journal',
    );
  });

  it('where rows do not come to the totals', async () => {
    const more = { ...credit, amountMinor: 981n };
    await expect(write([row, credit], 'ledger', [row, more])).rejects.toThrow(
      'rows do not come to their totals: liabilities:tax-payable:DE\nJPY by 1',
    );
    await expect(write([row, credit], 'ledger', [row])).rejects.toThrow(
      'liabilities:tax-payable:DE has JPY in rows and not in totals',
    );
  });
});

describe('writing', () => {
  it.each(JOURNAL_FORMATS)('%s takes rows as it goes', async (format) => {
    const rows = sortForJournal(makeJournalRows(1, 3_000), 'UTC');
    let taken = 0;
    const counted = (function* () {
      for (const each of rows) {
        taken += 1;
        yield each;
      }
    })();
    const pieces = writeJournal(format, counted, { zone: 'UTC', totals: await totalRows(rows) });
    await pieces.next();
    expect(taken).toBeLessThan(1_000);
    expect(rows.length).toBeGreaterThan(10_000);
    await pieces.return(undefined);
  });
});
