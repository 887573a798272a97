import { type AccountNames, readAccountNames } from '#finance';
import { CliError } from '../cli-error.js';
import { readText } from '../files.js';

/** The customer's own numbers and names of accounts (rules/finance 22). @throws CliError `usage` with every bad row. */
export function readAccounts(file: string): AccountNames {
  const reading = readAccountNames(readText(file));
  if (reading.accepted) return reading.names;
  const details = reading.badRows.map(
    ({ line, column, reason }) => `line ${line}, ${column}: ${reason}`,
  );
  const message = `${file} does not map accounts: correct its rows, and ask again.`;
  throw new CliError(message, 'usage', details, 'ACCOUNTS_REFUSED');
}
