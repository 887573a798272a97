import {
  linkSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { EventStoreStartRefused } from '../failures.js';
import { errorCode } from './data-directory.js';

export const LOCK_FILE = 'event-store.lock';
/** The name of a draft of the lock; a process that is killed meanwhile leaves one. */
const LEFTOVER = /^event-store\.lock\.(?:stale\.)?(\d+)$/;

/** Two processes that find the same stale lock at once may each need another try. */
const ATTEMPTS = 5;

interface LockOwner {
  readonly pid: number;
  /** When the process started, in the kernel's own words: a pid is used again, this pair is not. */
  readonly started: string;
}

/**
 * Takes the directory for this process alone: lmdb would let several processes write, but heads and
 * positions are kept in memory. The lock of a process that was killed is recognised and replaced.
 * Answers with the function that gives the directory back. Throws `EventStoreStartRefused` if it is
 * in use.
 */
export function lockDirectory(directory: string): () => void {
  const file = path.join(directory, LOCK_FILE);
  removeLeftovers(directory);
  const own = JSON.stringify({ pid: process.pid, started: processStart(process.pid) });
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    if (createExclusively(file, own)) return () => release(file, own);
    const found = readIfThere(file);
    if (found === undefined) continue;
    const owner = parseOwner(found);
    if (owner && isAlive(owner)) throw inUse(directory, owner.pid);
    removeStale(file, found);
  }
  throw new EventStoreStartRefused(
    `The data directory ${directory} could not be locked: several processes are starting in it.`,
  );
}

function inUse(directory: string, pid: number): EventStoreStartRefused {
  return new EventStoreStartRefused(
    `The data directory ${directory} is in use by another process (pid ${pid}): ` +
      'stop that one or choose another directory.',
  );
}

/** The file appears with its content: it is written under a name of its own and linked. */
function createExclusively(file: string, content: string): boolean {
  const draft = `${file}.${process.pid}`;
  try {
    writeFileSync(draft, content);
    linkSync(draft, file);
    return true;
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false;
    const why = error instanceof Error ? error.message : String(error);
    throw new EventStoreStartRefused(
      `The data directory ${path.dirname(file)} can't be locked: ${why}.`,
    );
  } finally {
    // On a full disk there is a draft without content, or none.
    rmSync(draft, { force: true });
  }
}

/** Drafts of processes that were killed, or met a full disk, before they had the lock. */
function removeLeftovers(directory: string): void {
  for (const name of readdirSync(directory)) {
    const [, pid] = LEFTOVER.exec(name) ?? [];
    if (pid !== undefined && !isRunning(Number(pid))) {
      rmSync(path.join(directory, name), { force: true });
    }
  }
}

/**
 * Moves a stale lock aside, then looks at the moved one: if another process was faster and this is its new lock, it is
 * put back.
 */
function removeStale(file: string, stale: string): void {
  const aside = `${file}.stale.${process.pid}`;
  try {
    renameSync(file, aside);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return;
    throw error;
  }
  if (readIfThere(aside) !== stale) linkSync(aside, file);
  unlinkSync(aside);
}

function release(file: string, own: string): void {
  if (readIfThere(file) === own) unlinkSync(file);
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function parseOwner(text: string): LockOwner | undefined {
  try {
    const { pid, started } = JSON.parse(text) as Partial<LockOwner>;
    return typeof pid === 'number' && typeof started === 'string' ? { pid, started } : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(owner: LockOwner): boolean {
  if (!isRunning(owner.pid)) return false;
  const started = processStart(owner.pid);
  return started === '' || owner.started === '' || started === owner.started;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) === 'EPERM';
  }
}

/** Boot and start time of a process on Linux; empty elsewhere, where the pid alone must do. */
function processStart(pid: number): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name in parentheses may hold spaces; the start time is the 20th field after it.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended; only its parent has not yet asked how.
    return fields[0] === 'Z' ? 'ended' : `${boot}/${fields[19] ?? ''}`;
  } catch {
    return '';
  }
}
