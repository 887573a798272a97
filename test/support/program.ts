import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface, type Interface } from 'node:readline';

/** The build that `npm test` has made; another one where a developer works beside it. */
const DIST = path.resolve(process.env['BUILD_DIR'] ?? 'dist');
const READY_LIMIT_MS = 90_000;

type Ready = Readonly<Record<string, unknown>>;

/** A program that runs as a process of its own. */
export interface RunningProgram {
  /** The content of its ready line. */
  readonly ready: Ready;
  readonly pid: number;
  /** The next line that it writes to stdout. */
  nextLine(): Promise<string>;
  /** SIGTERM. @returns the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** SIGSTOP: it stands still, with all that it has open. */
  pause(): void;
  /** SIGCONT: it goes on, and does not know that time has passed. */
  resume(): void;
}

export interface ProgramOptions {
  readonly args?: readonly string[];
  /** Flags of Node itself. */
  readonly nodeFlags?: readonly string[];
  /** The most milliseconds until it says that it is ready; 90 s, unless given. */
  readonly readyWithinMs?: number;
}

/**
 * Starts a program, such as `worker`, and waits until it says that it is ready. A benchmark with BENCH_PROFILE in its
 * environment has Node profile the program of that name.
 *
 * @param name of one of our programs, or the path of another one, from the folder of the build.
 */
export async function startProgram(
  name: string,
  env: Readonly<Record<string, string>>,
  { args = [], nodeFlags = [], readyWithinMs = READY_LIMIT_MS }: ProgramOptions = {},
): Promise<RunningProgram> {
  const flags = process.env['BENCH_PROFILE'] === name ? [...nodeFlags, '--cpu-prof'] : nodeFlags;
  const child = spawn(process.execPath, [...flags, findMain(name), ...args], {
    env: { ...process.env, INSTANCE_NAME: `${path.parse(name).name}-0`, ...env, SUPERVISED: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = createInterface({ input: child.stdout });
  const ready = await untilReady(name, lines, exited, readyWithinMs);
  return {
    ready,
    ...{
      pid: child.pid ?? 0,
      nextLine: () => new Promise((resolve) => lines.once('line', resolve)),
    },
    stop: () => {
      child.kill('SIGTERM');
      return exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    pause: () => void child.kill('SIGSTOP'),
    resume: () => void child.kill('SIGCONT'),
  };
}

/** Runs a program until it ends by itself. */
export async function runProgramToEnd(name: string, env: Readonly<Record<string, string>>) {
  const child = spawn(process.execPath, [findMain(name)], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, stderr };
}

function findMain(name: string): string {
  return path.resolve(DIST, name.includes('/') ? name : `programs/${name}.js`);
}

function untilReady(
  name: string,
  lines: Interface,
  exited: Promise<unknown>,
  withinMs: number,
): Promise<Ready> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no ready line')), withinMs);
    void exited.then((code) => reject(new Error(`the ${name} ended with ${String(code)}`)));
    lines.on('line', (line) => {
      if (process.env['WORKER_LOG_LEVEL'] !== undefined) process.stderr.write(`${line}\n`);
      if (!line.endsWith('"ready":true}')) return;
      clearTimeout(timer);
      // Our own programs write it, as an object.
      resolve(JSON.parse(line) as Ready);
    });
  });
}
