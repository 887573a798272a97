import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const MEMORY = '/dev/shm';
const NAME = /^subledger-tests-(\d+)-/;
/** Several times the size of all tests' files at once. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Makes a folder in memory for the files of tests, and removes it when the run ends (decision 0007). @returns it, or
 * nothing where there is none: a container may have a few megabytes, and macOS has no such file system.
 */
export function makeMemoryFolder(memory = MEMORY, roomBytes = ROOM_BYTES) {
  try {
    removeForsaken(memory);
    const { bavail, bsize } = statfsSync(memory);
    if (bavail * bsize < roomBytes) return undefined;
    const folder = mkdtempSync(path.join(memory, `subledger-tests-${process.pid}-`));
    process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
    return folder;
  } catch {
    return undefined;
  }
}

/** The folders of a run that was killed. */
function removeForsaken(memory) {
  for (const name of readdirSync(memory)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    rmSync(path.join(memory, name), { recursive: true, force: true });
  }
}
