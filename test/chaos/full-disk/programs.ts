import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Part, RunningStandalone } from '../../support/standalone.js';
import type { Findings } from './findings.js';

const PARTS: readonly Part[] = ['api', 'projector', 'worker', 'event-store', 'redis'];

/** A failed commit leaves it ahead of its disk, so it ends and starts again (decision 0010). */
const MUST_RESTART: readonly Part[] = ['event-store'];

type Pids = ReadonlyMap<Part, number>;

export async function findPids(standalone: RunningStandalone): Promise<Pids> {
  const pids = new Map<Part, number>();
  for (const part of PARTS) pids.set(part, await standalone.findPid(part));
  return pids;
}

/** The programs that were started again since. All but those that must be are findings. */
export async function restartedSince(
  before: Pids,
  standalone: RunningStandalone,
  findings: Findings,
): Promise<readonly Part[]> {
  const now = await findPids(standalone);
  const restarted = PARTS.filter((part) => now.get(part) !== before.get(part));
  for (const part of restarted.filter((name) => !MUST_RESTART.includes(name))) {
    findings.add(`the ${part} was started again`, standalone.said());
  }
  return restarted;
}

/** The logs of the programs. */
export function logsIn(dataDir: string): readonly string[] {
  return PARTS.map((part) => logIn(dataDir, part));
}

/**
 * Looks whether every log that the full disk interrupted came back, which the standalone tells. A log
 * does with the program's next line, and the last one is that of an orderly stop: ask after it.
 *
 * @returns the programs whose logs were interrupted.
 */
export function checkLogs(standalone: RunningStandalone, findings: Findings): readonly Part[] {
  const times = (part: Part, what: string) =>
    standalone.said().split(`${logIn(standalone.dataDir, part)} ${what}`).length - 1;
  for (const part of PARTS) {
    if (times(part, 'cannot be written') === times(part, 'is written again')) continue;
    findings.add(`the log of the ${part} did not come back`, standalone.said());
  }
  const interrupted = PARTS.filter((part) => times(part, 'cannot be written') > 0);
  if (interrupted.length === 0) findings.add('no log was interrupted', 'nothing was looked at');
  return interrupted;
}

function logIn(dataDir: string, part: Part): string {
  return path.join(dataDir, 'logs', `${part}.log`);
}

/** The files of a data directory, without the numbers by which their names differ from start to start. */
export async function filesIn(dataDir: string): Promise<ReadonlySet<string>> {
  const entries = await readdir(dataDir, { recursive: true });
  return new Set(entries.map((name) => name.replaceAll(/\d+/g, 'N')));
}
