import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { JournalRow } from '#domain/bookkeeping';
import type { AccountNames } from '#finance';
import {
  ACCOUNTING_PROGRAMS,
  installAccountingPrograms,
} from '../../support/finance/accounting-programs.js';
import { listExpected, makeJournalRows, writeWhole } from '../../support/finance/stories.js';

/** The packages are downloaded once, where they are missing. */
const INSTALLED_WITHIN_MS = 300_000;
const ZONE = 'Europe/Berlin';

const folder = mkdtempSync(path.join(tmpdir(), 'subledger-journals-'));
beforeAll(installAccountingPrograms, INSTALLED_WITHIN_MS);
afterAll(() => rmSync(folder, { recursive: true }));

const store = (text: string, name = 'journal') => {
  const file = path.join(folder, name);
  writeFileSync(file, text);
  return file;
};

describe.each(ACCOUNTING_PROGRAMS.map((program) => [program.format, program] as const))(
  '%s',
  (format, program) => {
    const writeRows = (rows: readonly JournalRow[], zone = ZONE, names?: AccountNames) =>
      writeWhole(format, rows, zone, names);

    it.each([
      [1, 'Europe/Berlin'],
      [2, 'UTC'],
      [3, 'America/New_York'],
    ])(
      'takes the journal of story %i in %s, and comes to its trial balance',
      async (seed, zone) => {
        const rows = makeJournalRows(seed, 90);
        const file = store(await writeRows(rows, zone));
        expect(program.check(file)).toBe('');
        expect(program.balance(file)).toEqual(await listExpected(rows, format));
      },
    );

    // Each is a start of the program: the three of them together have all forms of both.
    it.each([
      ['EUR', 'amount'],
      ['JPY', 'balance'],
      ['KWD', 'balance'],
    ])('refuses %s whose %s is off by its least unit', async (currency, what) => {
      const text = await writeRows(makeJournalRows(4, 30));
      const balance =
        format === 'beancount'
          ? `(balance \\S+  -?[\\d.]*)(\\d) (?=~ [0.]+ ${currency}$)`
          : `(= -?[\\d.]*)(\\d) ${currency}$`;
      const amount = `^( +\\S+  [\\d.]*)(\\d) ${currency}$`;
      const pattern = new RegExp(what === 'amount' ? amount : balance, 'm');
      expect(text).toMatch(pattern);
      expect(program.check(store(text.replace(pattern, raiseLastDigit)))).toMatch(/balance/i);
    });
  },
);

/** 9 becomes 0, which is off by more, and by no more digits. */
function raiseLastDigit(whole: string, head: string, digit: string): string {
  return head + String((Number(digit) + 1) % 10) + whole.slice(head.length + 1);
}
