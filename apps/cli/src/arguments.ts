import { readFile, stat } from 'node:fs/promises';
import { CliError } from './cli-error.js';

/** A version given as an argument: "3" or "v3". @throws CliError. */
export function versionArgument(text: string): number {
  const digits = /^v?([1-9]\d{0,8})$/.exec(text)?.[1];
  if (digits !== undefined) return Number(digits);
  throw new CliError(`${JSON.stringify(text)} is no version; versions are 1, 2, 3 ...`, 'usage');
}

/** A whole number from 1 on. @throws CliError naming the option. */
export function countOption(name: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new CliError(
    `--${name} must be a whole number from 1 on, not ${JSON.stringify(text)}.`,
    'usage',
  );
}

/** The place of an event in its stream. @throws CliError naming the option. */
export function revisionOption(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new CliError(
    `--${name} must be the revision of an event, 0, 1, 2 ..., not ${JSON.stringify(text)}.`,
    'usage',
  );
}

/** The size of a file that is there. @throws CliError. */
export async function fileSize(file: string): Promise<number> {
  return stat(file).then(({ size }) => size, notReadable(file));
}

/** The bytes of a file. @throws CliError. */
export async function fileBytes(file: string): Promise<Buffer> {
  return readFile(file).catch(notReadable(file));
}

function notReadable(file: string) {
  return (error: unknown): never => {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(`${file} cannot be read: ${why}.`, 'usage');
  };
}
