import { mkdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { syncDirectory } from './durable-file.js';

/**
 * Makes a directory and those above it where they are missing. Node's own recursive way never ends
 * where the system answers that nothing can be made, as below /proc.
 *
 * @param mode of the made directories.
 * @throws the system's error for the first directory that cannot be made, or is no directory.
 */
export function makeDirectory(directory: string, mode?: number): void {
  const above = path.dirname(directory);
  if (isThere(directory)) return;
  if (above !== directory) makeDirectory(above, mode);
  try {
    mkdirSync(directory, { mode });
    // The directory is there after a loss of power, too, as all files that will be written into it.
    syncDirectory(above);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (!isThere(directory)) throw error;
  }
}

/** @throws the system's error (ENOTDIR) when a file is in the way. */
function isThere(directory: string): boolean {
  const found = statSync(directory, { throwIfNoEntry: false });
  if (found === undefined) return false;
  if (found.isDirectory()) return true;
  throw Object.assign(new Error(`ENOTDIR: ${directory} is no directory`), { code: 'ENOTDIR' });
}
