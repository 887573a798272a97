import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AccountNames, readAccountNames } from '#finance';
import {
  ACCOUNTING_PROGRAMS,
  installAccountingPrograms,
  run,
} from '../../support/finance/accounting-programs.js';
import { listExpected, makeJournalRows, writeWhole } from '../../support/finance/stories.js';

/** The packages are downloaded once, where they are missing. */
const INSTALLED_WITHIN_MS = 300_000;
/** Numbers in front, spaces, letters beyond ASCII, two accounts of one name, and one below another. */
const MAPPING = `account,number,hledger,ledger,beancount
assets:gateway-clearing,1200,1200 Verrechnung,1200 Verrechnung,Assets:Übertrag:1200
assets:disputes-receivable,1210,1200 Verrechnung:1210,1200 Verrechnung:1210,Assets:Übertrag:1200:1210
liabilities:deferred-items,3900,3900,3900,Liabilities:3900
liabilities:deferred-subscriptions,3900,3900,3900,Liabilities:3900
income:refunds,8400,income:subscriptions,income:subscriptions,Income:Subscriptions
`;

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-journals-'));
beforeAll(installAccountingPrograms, INSTALLED_WITHIN_MS);
afterAll(() => rmSync(folder, { recursive: true }));

const rows = makeJournalRows(6, 60);
const store = (text: string, name: string) => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

it.each(ACCOUNTING_PROGRAMS.map((program) => [program.format, program] as const))(
  "%s takes a customer's own names, also several accounts of one name",
  async (format, program) => {
    const reading = readAccountNames(MAPPING);
    const names = reading.accepted ? reading.names : new AccountNames();
    const file = store(await writeWhole(format, rows, 'UTC', names), `mapped.${format}`);
    expect(program.check(file)).toBe('');
    const expected = await listExpected(rows, format, names);
    expect(expected.some((line) => line.includes('3900 '))).toBe(true);
    expect(program.balance(file)).toEqual(expected);
  },
);

describe('ledger', () => {
  const ledger = ACCOUNTING_PROGRAMS.find(({ format }) => format === 'ledger');

  it('refuses balances that stand before the last entry of their day', async () => {
    const text = await writeWhole('ledger', rows, 'UTC');
    const swapped = text.replace(
      /\n(\d{4}-\d\d-\d\d [^\n]+\.v1\n(?: +\S.*\n)+)\n(\d{4}-\d\d-\d\d balances\n(?: +\S.*\n)+)/,
      '\n$2\n$1',
    );
    expect(swapped).not.toBe(text);
    expect(ledger?.check(store(swapped, 'swapped.ledger'))).toMatch(/Balance assertion off/);
  });

  it('finds effective days, late entries and ids by their tags', async () => {
    const file = store(await writeWhole('ledger', rows, 'UTC'), 'tagged.ledger');
    const print = '%(tag("effective")) %(tag("late")) %(tag("leaf"))\n';
    const lines = run('ledger', [
      ...['--args-only', '-f', file, 'register', '--limit', 'has_tag("late")', '--format', print],
    ]);
    const late = rows.filter((row) => row.late).map(({ leaf }) => `2025-12-30 yes ${leaf}`);
    expect(late.length).toBeGreaterThan(3);
    const isLate = new Set(late);
    const found = lines.trim().split('\n');
    expect(found.filter((line) => isLate.has(line)).length).toBeGreaterThan(3);
    expect(new Set(found.map((line) => line.split(' ')[2]))).toEqual(
      new Set(rows.filter((row) => row.late).map(({ leaf }) => `${leaf}`)),
    );
  });
});

it("hledger's tag of a period gives the trial balance of the period", async () => {
  const file = store(await writeWhole('hledger', rows, 'UTC'), 'periods.hledger');
  for (const period of ['2026-01', '2026-05']) {
    const csv = run('hledger', [
      ...['-f', file, 'balance', `tag:^period$=^${period}$`, '--flat', '--no-total'],
      ...['--layout=bare', '-O', 'csv'],
    ]);
    const found = csv.trim().split('\n').slice(1);
    const ofPeriod = rows.filter((row) => row.period === period);
    expect(found.map((line) => line.replaceAll('"', '').replaceAll(',', ' ')).sort()).toEqual(
      await listExpected(ofPeriod, 'hledger'),
    );
  }
});

it('beancount gives ids and booking numbers back', async () => {
  const file = store(await writeWhole('beancount', rows, 'UTC'), 'tagged.beancount');
  const [row] = rows;
  const csv = run('bean-query', [
    ...['-f', 'csv', file],
    `SELECT any_meta('leaf'), any_meta('ids') WHERE any_meta('leaf') = '${row?.leaf}' LIMIT 1`,
  ]);
  expect(csv.split('\n')[1]?.replaceAll(/ *, */g, ',').trim()).toMatch(
    new RegExp(`^${row?.leaf},${row?.eventId} ${row?.app} ${row?.payment}`),
  );
});
