import { Fault } from '#platform';
import type { BookFile } from './book-file.js';

/** A store that was restored from a backup, and is not sealed as far as the books go. */
export function shorterLog(size: number, covered: number): Fault {
  const message =
    `The books have the events of ${covered} leaves, and the last checkpoint has ${size}: nothing was written. ` +
    'A store that was restored from a backup is to be sealed first.';
  return new Fault('undecodable', message, { retryable: false });
}

/** Checkpoints are events: one that the books name is missing from an altered log alone. */
export function lostCheckpoint(size: number): Fault {
  const message = `The checkpoint of ${size} leaves, which the books were written up to, is not there.`;
  return new Fault('undecodable', message, { retryable: false });
}

/** A lost file is made again from the log, which has to give the rows whose hash the log has. */
export function otherRows({ path, rows }: BookFile): Fault {
  const message =
    `${path} cannot be made again: the log does not give the ${rows} rows that were written. ` +
    'subledger seal verify tells whether events were altered.';
  return new Fault('undecodable', message, { retryable: false });
}
