import type { FileHandle } from 'node:fs/promises';

const STEP_BYTES = 4 * 1024 * 1024;
const NOUGHTS = Buffer.alloc(STEP_BYTES);

/**
 * Overwrites a file that has no name any more, and closes it: its blocks are given back without what was in
 * them. What a disk keeps of a block that was written over is beyond any program.
 */
export async function wipe(file: FileHandle): Promise<void> {
  try {
    const { size } = await file.stat();
    for (let at = 0; at < size; at += STEP_BYTES) {
      await file.write(NOUGHTS, 0, Math.min(STEP_BYTES, size - at), at);
    }
    await file.sync();
  } finally {
    await file.close();
  }
}
