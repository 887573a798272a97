import { existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';

const MEMORY = '/dev/shm';
const NAME = /^subledger-tests-(\d+)-/;
/** Several times what all tests hold at once. */
const ROOM_BYTES = 4 * 1024 ** 3;

/**
 * Makes a folder in memory for what tests write, and removes it when Jest ends (decision 0007). @returns it, or nothing
 * where there is none: a container may have a few megabytes, and macOS has no such file system.
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

/** What a Jest that was killed has left. */
function removeForsaken(memory) {
  for (const name of readdirSync(memory)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || existsSync(`/proc/${pid}`)) continue;
    rmSync(path.join(memory, name), { recursive: true, force: true });
  }
}
