import { recordStreamName, STREAM_OFFSET, typeOffset } from './record.js';

/** Lmdb's errors for damaged pages; a length from such a page is a RangeError. */
const DAMAGE = /^MDB_(CORRUPTED|PAGE_NOTFOUND|PANIC|INVALID|BAD_TXN|INCOMPATIBLE|VERSION_MISMATCH)/;

export function isDamage(error: unknown): boolean {
  return DAMAGE.test(errorMessage(error)) || (error as { name?: unknown }).name === 'RangeError';
}

export function errorMessage(error: unknown): string {
  // lmdb's errors are made by native code, whose `Error` need not be this one.
  return String((error as { message?: unknown }).message ?? error);
}

/** The stream that a damaged record names, if its name can still be read. */
export function nameHint(record: Buffer): string {
  if (record.length < STREAM_OFFSET || typeOffset(record) > record.length) return '';
  const name = recordStreamName(record);
  return /^[\x20-\x7e]{1,200}$/.test(name) ? `, of the stream ${name}` : '';
}
