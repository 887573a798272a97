import { existsSync } from 'node:fs';
import { readFile, readlink, realpath, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Program, SetAside } from './child.js';
import { LAYERS } from './programs.js';

/** How long a Redis that a killed standalone left behind may take to stop. */
const LEFTOVER_LIMIT_MS = 10_000;
/** More of its last line is not shown. */
const COMPLAINT_CHARACTERS = 300;

/**
 * The private Redis: its configuration goes to its stdin, so that the password stands in no list of
 * processes. Append-only file, and `noeviction`: Redis must not evict jobs.
 */
export function redisProgram(
  folder: string,
  port: number,
  password: string,
  logFile: string,
): Program {
  return {
    name: 'Redis',
    layer: LAYERS.Redis,
    command: 'redis-server',
    args: ['-'],
    input: [
      `port ${port}`,
      'bind 127.0.0.1',
      'protected-mode yes',
      `requirepass ${password}`,
      `dir "${folder}"`,
      `pidfile "${pidFile(folder)}"`,
      'daemonize no',
      'appendonly yes',
      'appendfsync everysec',
      'save ""',
      'maxmemory-policy noeviction',
      'loglevel notice',
      '',
    ].join('\n'),
    logFile,
    isReady: (line) => (line.includes('Ready to accept connections') ? {} : undefined),
    complaintIn,
    setAside: () => setAside(folder),
  };
}

/** Redis marks warnings, of its surroundings as well as its last words, with a number sign. */
function complaintIn(line: string): string | undefined {
  const complaint = / # (?!WARNING)(.+?)(?:: make a backup.*)?$/.exec(line)?.[1];
  return complaint?.slice(0, COMPLAINT_CHARACTERS);
}

/**
 * Moves away the files of Redis, so that it starts empty: all of it can be rebuilt from the event store (rules/running
 * 5). The part before the damage is not saved, on purpose. It may be days old, since Redis rewrites the file seldom,
 * and a worker that goes on from there sends the webhooks of days again. The checkpoint backup in the event store is
 * seconds old (decision 0013).
 */
async function setAside(folder: string): Promise<SetAside | undefined> {
  const kept = path.join(folder, 'appendonlydir');
  if (!existsSync(kept)) return undefined;
  const aside = `${kept}.damaged-${new Date().toISOString().replaceAll(/[:.]/g, '-')}`;
  await rename(kept, aside);
  return {
    notice:
      `Its files are now in ${aside}; it starts empty and is rebuilt from the event store. ` +
      'Delete that folder when you no longer need it.',
    undo: async () => {
      await rm(kept, { recursive: true, force: true });
      await rename(aside, kept);
    },
  };
}

/** Stops the Redis of a standalone that was killed: it would go on writing the same files. */
export async function stopLeftoverRedis(folder: string): Promise<void> {
  const pid = await leftoverPid(folder);
  if (pid === undefined) return;
  const endsAt = performance.now() + LEFTOVER_LIMIT_MS;
  process.kill(pid, 'SIGTERM');
  while (isAlive(pid) && performance.now() < endsAt) await sleep(20);
  if (isAlive(pid)) process.kill(pid, 'SIGKILL');
}

/**
 * The process in the pid file, if it is a redis-server that runs in this very folder. After a
 * reboot the number may be another Redis's; ours has changed into its `dir`.
 */
async function leftoverPid(folder: string): Promise<number | undefined> {
  try {
    const pid = Number(await readFile(pidFile(folder), 'utf8'));
    const name = await readFile(`/proc/${pid}/comm`, 'utf8');
    const runsIn = await readlink(`/proc/${pid}/cwd`);
    const isOurs = name.startsWith('redis-server') && runsIn === (await realpath(folder));
    return isOurs && isAlive(pid) ? pid : undefined;
  } catch {
    // No pid file, no such process, or a system without /proc: there is nothing that we may kill.
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

function pidFile(folder: string): string {
  return path.join(folder, 'redis.pid');
}
