import { closeSync, fchmodSync, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';

/** For secrets: other accounts of the machine may not read them. */
export const OWNER_ONLY = 0o600;
const AS_THE_PROCESS_HAS_IT = 0o666;

/** Writes a file in one step: after a crash it is there as a whole, or as it was before. */
export function writeDurably(file: string, text: string, mode = AS_THE_PROCESS_HAS_IT): void {
  const draft = `${file}.new`;
  const descriptor = openSync(draft, 'w', mode);
  try {
    // A draft that a crash left keeps the mode that it had.
    if (mode === OWNER_ONLY) fchmodSync(descriptor, mode);
    writeSync(descriptor, text);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(draft, file);
  syncDirectory(path.dirname(file));
}

/** A file made, renamed or removed in a directory is so after a loss of power, too. */
export function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
