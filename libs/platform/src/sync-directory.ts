import { open } from 'node:fs/promises';

/** What was made or renamed in a directory is there after a power cut, too. @throws what the system says. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
