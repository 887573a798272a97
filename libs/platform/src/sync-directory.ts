import { open } from 'node:fs/promises';

/** A file that was made or renamed in a directory is there after a power cut, too. @throws the system's error. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
