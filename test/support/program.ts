import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';

/** The build that `npm test` has made; another one where a developer works beside it. */
const PROGRAMS = path.resolve(process.env['BUILD_DIR'] ?? 'dist', 'programs');
const READY_LIMIT_MS = 90_000;

/** A program that runs as a process of its own. */
export interface RunningProgram {
  /** SIGTERM. @returns the exit code. */
  stop(): Promise<number | null>;
  /** SIGKILL, as a crash would. */
  kill(): Promise<void>;
  /** SIGSTOP: it stands still, with all that it has open. */
  pause(): void;
  /** SIGCONT: it goes on, and does not know that time has passed. */
  resume(): void;
}

/** Starts a program, such as `worker`, and waits until it says that it is ready. */
export async function startProgram(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<RunningProgram> {
  const main = path.join(PROGRAMS, `${name}.js`);
  const child = spawn(process.execPath, [main], {
    env: { ...process.env, INSTANCE_NAME: `${name}-0`, ...env, SUPERVISED: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  await ready(name, child, exited);
  return {
    stop: async () => {
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
  const child = spawn(process.execPath, [path.join(PROGRAMS, `${name}.js`)], {
    env: { PATH: process.env['PATH'], LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let stderr = '';
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, 'close')) as unknown[];
  return { code, stderr };
}

function ready(name: string, child: ChildProcess, exited: Promise<number | null>): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('no ready line')), READY_LIMIT_MS);
    void exited.then((code) => reject(new Error(`the ${name} ended with ${code}`)));
    const { stdout } = child;
    if (stdout === null) throw new Error(`the ${name} has no stdout`);
    createInterface({ input: stdout }).on('line', (line) => {
      if (process.env['WORKER_LOG_LEVEL'] !== undefined) process.stderr.write(`${line}\n`);
      if (!line.endsWith('"ready":true}')) return;
      clearTimeout(timer);
      resolve();
    });
  });
}
