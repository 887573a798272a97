import { execFile } from 'node:child_process';
import { closeSync, openSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { BadUsage } from '../chaos.js';

const execute = promisify(execFile);

const SIZE = '64m';
const PIECE_BYTES = 64 * 1024;
/** Processes that were killed hold their files for a moment longer. */
const UNMOUNT_ATTEMPTS = 50;
const UNMOUNT_PAUSE_MS = 100;

/** A disk in memory that is small enough to be filled within a moment. */
export class SmallDisk {
  readonly #ballast: string;

  private constructor(readonly folder: string) {
    this.#ballast = path.join(folder, 'ballast');
  }

  /** @throws BadUsage when this user may not mount anything. */
  static async mount(): Promise<SmallDisk> {
    const folder = await mkdtemp(path.join(tmpdir(), 'subledger-full-disk-'));
    try {
      await execute('mount', ['-t', 'tmpfs', '-o', `size=${SIZE},mode=700`, 'tmpfs', folder]);
    } catch (error) {
      await rm(folder, { recursive: true });
      const lines = error instanceof Error ? error.message.split('\n') : [String(error)];
      const why = lines.find((line) => line.startsWith('mount: ')) ?? lines.join(' ');
      throw new BadUsage(
        `A small disk of its own must be mounted (mount -t tmpfs), which only root may on Linux: ${why}`,
      );
    }
    return new SmallDisk(folder);
  }

  /**
   * Takes the present room; room that was freed since is taken as well.
   *
   * @param files that others append to: the rest of their last pages is taken too, in empty lines.
   */
  fill(files: readonly string[]): void {
    appendUntilFull(this.#ballast, '\0'.repeat(PIECE_BYTES));
    for (const file of files) appendUntilFull(file, '\n');
  }

  async makeRoom(): Promise<void> {
    await rm(this.#ballast, { force: true });
  }

  /** Nothing is left of it. A file that is still open somewhere keeps it from going for a while. */
  async remove(): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await execute('umount', attempt < UNMOUNT_ATTEMPTS ? [this.folder] : ['-l', this.folder]);
        break;
      } catch (error) {
        if (attempt >= UNMOUNT_ATTEMPTS) throw error;
        await sleep(UNMOUNT_PAUSE_MS);
      }
    }
    await rm(this.folder, { recursive: true });
  }
}

function appendUntilFull(file: string, piece: string): void {
  const descriptor = openSync(file, 'a');
  try {
    // A write that does not fit any more is cut short, and the next one fails.
    for (;;) writeSync(descriptor, piece);
  } catch (error) {
    if (!isFull(error)) throw error;
  } finally {
    closeSync(descriptor);
  }
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC';
}
