import { readFileSync, readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';

export interface Process {
  readonly pid: string;
  readonly commandLine: string;
}

/**
 * The programs of a name that have a data directory in their environment or run in it, as Redis does; our own
 * programs unless a name is given, all of them for an empty one.
 */
export async function listProcesses(dataDir: string, name = 'dist/'): Promise<Process[]> {
  const found: Process[] = [];
  for (const pid of (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry))) {
    // Read at once: tests ask again and again, and a hundred promises for each time cost much more.
    const commandLine = readNow(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
    if (!commandLine.includes(name)) continue;
    const environment = readNow(() => readFileSync(`/proc/${pid}/environ`, 'utf8'));
    const folder = readNow(() => readlinkSync(`/proc/${pid}/cwd`));
    const isOurs = [commandLine, environment, folder].some((text) => text.includes(dataDir));
    if (isOurs) found.push({ pid, commandLine });
  }
  return found;
}

/** The system's account of a process; empty when the process has ended meanwhile. */
function readNow(read: () => string): string {
  try {
    return read();
  } catch {
    return '';
  }
}
