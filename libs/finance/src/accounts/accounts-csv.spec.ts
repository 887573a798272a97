import { describe, expect, it } from 'vitest';
import { join } from '../spec-support/join.js';
import { AccountNames } from './account-names.js';
import { readAccountNames, writeAccountNames } from './accounts-csv.js';

const HEADER = 'account,number,hledger,ledger,beancount';
const ACCOUNTS = ['assets:bank', 'liabilities:tax-payable:DE', 'income:subscriptions'];

describe('accounts.csv', () => {
  it('has the default names, in beancount with capitals', async () => {
    expect((await join(writeAccountNames(ACCOUNTS, new AccountNames()))).split('\r\n')).toEqual([
      HEADER,
      'assets:bank,,assets:bank,assets:bank,Assets:Bank',
      'liabilities:tax-payable:DE,,liabilities:tax-payable:DE,liabilities:tax-payable:DE,Liabilities:Tax-Payable:DE',
      'income:subscriptions,,income:subscriptions,income:subscriptions,Income:Subscriptions',
      '',
    ]);
  });

  it("has a customer's own names where they are given, and is read as it was written", async () => {
    const names = take(
      `\uFEFF${HEADER}\r\nassets:bank,0012,1200 Bank,"Aktiva:1200 Bank",Assets:Übertrag:1200\r\nincome:subscriptions,8400,,,\r\n`,
    );
    const written = await join(writeAccountNames(ACCOUNTS, names));
    expect(written.split('\r\n')).toEqual([
      HEADER,
      "assets:bank,'0012,1200 Bank,Aktiva:1200 Bank,Assets:Übertrag:1200",
      'liabilities:tax-payable:DE,,liabilities:tax-payable:DE,liabilities:tax-payable:DE,Liabilities:Tax-Payable:DE',
      'income:subscriptions,8400,income:subscriptions,income:subscriptions,Income:Subscriptions',
      '',
    ]);
    expect(await join(writeAccountNames(ACCOUNTS, take(written)))).toBe(written);
  });

  it('is refused with every bad row', () => {
    const rows = [
      ...[HEADER, 'assets:bank,1200,,,', 'Bank,1200,,,', 'assets:bank,1201,,,'],
      ...['income:items,8400', '"income:items"x,,,,', 'income:items,=1+1,a;b,a  b,income:items'],
      ...['income:refunds,,(virtual),[x]:y,Income', 'income:disputes,,a:,:a,Income:app_1'],
    ];
    const reading = readAccountNames(rows.join('\n'));
    expect(reading.accepted ? [] : reading.badRows.map(({ line, column }) => `${line} ${column}`))
      // A name of two spaces ends for ledger behind the first word.
      .toEqual([
        ...['3 account', '4 account', '5 row', '6 row', '7 number', '7 hledger', '7 ledger'],
        ...['7 beancount', '8 hledger', '8 ledger', '8 beancount', '9 hledger', '9 ledger'],
        '9 beancount',
      ]);
  });

  it.each(['', 'account,number\n', `${HEADER},more\n`])('is refused with the header %j', (text) => {
    expect(readAccountNames(text)).toEqual({
      accepted: false,
      badRows: [{ line: 1, column: 'row', reason: `the header is ${HEADER}` }],
    });
  });
});

function take(text: string): AccountNames {
  const reading = readAccountNames(text);
  if (!reading.accepted) throw new Error(JSON.stringify(reading.badRows));
  return reading.names;
}
