import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import process from 'node:process';
import type { JournalFormat } from '#finance';

/** A program that reads a file of a journal. */
export interface AccountingProgram {
  readonly format: JournalFormat;
  /** The errors that it finds in a file; nothing where it takes the file. */
  check(file: string): string;
  /** Its trial balance, as `account currency amount`, without accounts that hold nothing; sorted. */
  balance(file: string): string[];
}

/** Installs the programs where they are missing. */
export function installAccountingPrograms(): void {
  for (const name of ['hledger', 'ledger', 'beancount']) {
    execFileSync(process.execPath, ['tools/setup.mjs', `--${name}-alone`], { stdio: 'pipe' });
  }
}

/** Strict: every account and currency is declared, transactions balance, assertions hold. */
const hledger: AccountingProgram = {
  format: 'hledger',
  check: (file) => findErrors('hledger', ['-f', file, 'check', '-s']),
  // Its JSON prints great amounts as floating point: CSV has all digits.
  balance: (file) =>
    listBalances(
      run('hledger', [
        ...['-f', file, 'balance', '--flat', '--no-total', '--layout=bare', '-O', 'csv'],
      ]),
    ),
};

/** Pedantic: every account, currency and tag is declared. */
const ledger: AccountingProgram = {
  format: 'ledger',
  check: (file) =>
    findErrors('ledger', ['--args-only', '-f', file, '--strict', '--pedantic', 'balance']),
  // Its `quantity` leaves zeros at the end out, and a total has the accounts below, also in a flat list.
  balance: (file) =>
    listCommodities(file)
      .flatMap((currency) =>
        listBalances(
          run('ledger', [
            ...['--args-only', '-f', file, 'balance', '--flat', '--no-total'],
            ...['--limit', `commodity == "${currency}"`],
            ...['--balance-format', `%(account),${currency},%(scrub(display_amount))\n`],
          ]).replaceAll(/ [A-Z]{3}$/gm, ''),
        ),
      )
      .sort(),
};

/** It pads the cells of its CSV, and puts several currencies into one unless it is asked to group by them. */
const beancount: AccountingProgram = {
  format: 'beancount',
  check: (file) => findErrors('bean-check', [file]),
  balance: (file) =>
    listBalances(
      run('bean-query', [
        ...['-f', 'csv', file],
        'SELECT account, currency, sum(number) GROUP BY account, currency',
      ]),
    ),
};

export const ACCOUNTING_PROGRAMS: readonly AccountingProgram[] = [hledger, ledger, beancount];

/** Standard output of a program that ends well. */
export function run(program: string, args: readonly string[]): string {
  return execFileSync(program, args, { encoding: 'utf8', env: environment(), stdio: 'pipe' });
}

function findErrors(program: string, args: readonly string[]): string {
  const { status, stderr, stdout } = spawnSync(program, args, {
    ...{ encoding: 'utf8', env: environment() },
  });
  return status === 0 ? '' : stderr || stdout || `${program} ended with ${status}`;
}

/** The programs read names in UTF-8 only where the locale says so. */
function environment(): NodeJS.ProcessEnv {
  return { ...process.env, LC_ALL: 'C.UTF-8' };
}

/** The currencies that a journal declares. */
function listCommodities(file: string): string[] {
  const found = readFileSync(file, 'utf8').matchAll(/^commodity ([A-Z]{3})$/gm);
  return [...found].map(([, currency = '']) => currency);
}

/** Lines of an account, a currency and an amount; a heading has no amount. */
function listBalances(csv: string): string[] {
  return csv
    .split('\n')
    .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '').trim()))
    .filter(([, , amount = '']) => /[1-9]/.test(amount))
    .map((cells) => cells.join(' '))
    .sort();
}
