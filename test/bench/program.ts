import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** Linux counts the time of processes in hundredths of a second. */
const MS_A_TICK = 10;
const DIST = path.resolve(import.meta.dirname, '..', '..');

/** One of our own programs, running as a process of its own. */
export interface RunningProgram {
  /** The content of its ready line. */
  readonly ready: Readonly<Record<string, unknown>>;
  readonly pid: number;
  /** The next line that it writes to stdout. */
  nextLine(): Promise<string>;
  stop(): Promise<void>;
}

/**
 * Starts a program of dist, or of elsewhere by its whole path, and waits for its ready line.
 *
 * @param keepsData whether it takes a data directory: it gets one of its own, removed at the end.
 * @param more further arguments.
 * @param nodeFlags flags of Node itself.
 */
export async function startProgram(
  main: string,
  env: Readonly<Record<string, string>>,
  keepsData = false,
  more: readonly string[] = [],
  nodeFlags: readonly string[] = [],
): Promise<RunningProgram> {
  const dataDir = keepsData ? await mkdtemp(path.join(tmpdir(), 'subledger-bench-')) : undefined;
  const options = dataDir === undefined ? [] : ['--port', '0', '--data-dir', dataDir, '--json'];
  const profile = process.env['BENCH_PROFILE'];
  const isProfiled = profile !== undefined && main.includes(profile);
  const flags = [...nodeFlags, ...(isProfiled ? ['--cpu-prof'] : [])];
  const child = spawn(process.execPath, [...flags, path.resolve(DIST, main), ...options, ...more], {
    env: { ...process.env, ...env, SUPERVISED: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const lines = createInterface({ input: child.stdout });
  const ready = await new Promise<Record<string, unknown>>((resolve, reject) => {
    lines.on('line', (line) => {
      // Our own programs write it, as an object.
      if (line.endsWith('"ready":true}')) resolve(JSON.parse(line) as Record<string, unknown>);
    });
    child.once('exit', (code) => reject(new Error(`${main} ended with ${code}`)));
  });
  return {
    ready,
    pid: child.pid ?? 0,
    nextLine: () => new Promise((resolve) => lines.once('line', resolve)),
    stop: async () => {
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
      if (dataDir !== undefined) await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** The processor time of a process so far, in user and system mode, in milliseconds. */
export function readSpentMs(pid: number): number {
  // Behind the name, which may hold spaces: state, ..., and utime and stime as the 12th and 13th.
  const [, rest = ''] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ');
  const fields = rest.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MS_A_TICK;
}
