import { existsSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';

const STEP_BYTES = 4 * 1024 * 1024;
const NOUGHTS = Buffer.alloc(STEP_BYTES);
/** Synced that often, no append waits long behind it. */
const STEPS_A_SYNC = 8;

/**
 * Overwrites a file, if it is there, and removes it: its blocks are given back without their content. Killed meanwhile,
 * it is still there under its name. A disk's copies of an overwritten block are beyond any program.
 */
export async function wipe(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const handle = await open(file, 'r+');
  try {
    const { size } = await handle.stat();
    let written = 0;
    for (let step = 1; written < size; step += 1) {
      const length = Math.min(STEP_BYTES, size - written);
      written += (await handle.write(NOUGHTS, 0, length, written)).bytesWritten;
      if (step % STEPS_A_SYNC === 0) await handle.sync();
    }
    await handle.sync();
  } finally {
    await handle.close();
  }
  await unlink(file);
}
