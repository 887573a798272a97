import { readFileSync, statSync } from 'node:fs';
import { CliError } from './cli-error.js';

/** Spreadsheets and editors of Windows begin UTF-8 with it; it is none of the text (RFC 3629, 6). */
const BYTE_ORDER_MARK = Buffer.from('\uFEFF');

/** The size of a file that is there. @throws CliError. */
export function fileSize(file: string): number {
  return orUnreadable(file, () => statSync(file).size);
}

/** The bytes of a file, without a byte order mark. @throws CliError. */
export function readBytes(file: string): Buffer {
  const bytes = orUnreadable(file, () => readFileSync(file));
  const { length } = BYTE_ORDER_MARK;
  return bytes.subarray(0, length).equals(BYTE_ORDER_MARK) ? bytes.subarray(length) : bytes;
}

/** The text of a file, without a byte order mark. @throws CliError. */
export function readText(file: string): string {
  return readBytes(file).toString('utf8');
}

/** Does work that writes files in a place. @throws CliError where they cannot be written; other errors as they are. */
export async function orUnwritable<T>(place: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (!isOfFile(error)) throw error;
    throw new CliError(`${place} cannot be written: ${error.message}.`, 'usage');
  }
}

/** Whether the system refused to do something with a file. */
function isOfFile(error: unknown): error is NodeJS.ErrnoException {
  return error instanceof Error && 'syscall' in error && 'path' in error;
}

function orUnreadable<T>(file: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new CliError(`${file} cannot be read: ${why}.`, 'usage');
  }
}
