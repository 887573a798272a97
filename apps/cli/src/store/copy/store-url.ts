import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { CliError } from '../../cli-error.js';
import { readText } from '../../files.js';

/** The file of the connection string in the data directory of a standalone, and in that of an event store. */
const FILES = [path.join('event-store', 'connection-string'), 'connection-string'];

/**
 * The connection string that an option names. Other accounts can read a command line, so that a connection string with
 * a password is taken from a file (rules/storage 3).
 *
 * @throws CliError `usage`.
 */
export function readStoreUrl(named: string, option: string): string {
  if (/^esdb(\+discover)?:\/\//.test(named)) {
    if (!named.includes('@')) return named;
    throw new CliError(
      `${option} must not hold a password, since other accounts can read command lines: ` +
        'put the connection string into a file, and name that.',
      'usage',
    );
  }
  const place = path.resolve(named);
  if (!existsSync(place)) throw new CliError(`${option}: there is no ${place}.`, 'usage');
  if (!statSync(place).isDirectory()) return readText(place).trim();
  const file = FILES.map((name) => path.join(place, name)).find((each) => existsSync(each));
  if (file !== undefined) return readText(file).trim();
  throw new CliError(`${option}: no event store has run in ${place}.`, 'usage');
}
