import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';

const MAIN = path.resolve('dist/programs/standalone.js');
const READY_LIMIT_MS = 180_000;
/** One that was to end by itself and does not is killed. */
const RUN_LIMIT_MS = 120_000;

/** The content of demo.json. */
export interface Demo {
  readonly baseUrl: string;
  readonly storefrontUrl: string;
  readonly appId: string;
  readonly ingressSecret: string;
  readonly apiKey: string;
  readonly operatorToken: string;
}

/** The processes that a standalone is made of. */
export type Part = keyof typeof PART_PATTERNS;

/** A standalone that runs as a process of its own, as `npm start` starts it. */
export interface RunningStandalone {
  readonly baseUrl: string;
  readonly demo: Demo;
  readonly dataDir: string;
  /** The address and credentials of its event store. */
  eventStoreUrl(): Promise<string>;
  /** Its output on stderr so far. */
  said(): string;
  /** The process of one of its parts. @throws Error while it has none. */
  findPid(name: Part): Promise<number>;
  /** SIGTERM, and waits until it is gone. @returns its exit code. */
  stop(signals?: readonly NodeJS.Signals[]): Promise<number | null>;
  /** kill -9: the parts find out by themselves. */
  kill(): Promise<void>;
  /** Kills one of its parts with -9, as a crash would. */
  killPart(name: Part): Promise<void>;
  /** The environment of one of its parts, as the system knows it. */
  readEnvironment(name: Part): Promise<Readonly<Record<string, string>>>;
  /** Makes one of its parts stand still: it is there and does not answer. @returns the function that lets it go on. */
  pausePart(name: Part): Promise<() => void>;
}

/** A new, empty data directory; `remove` deletes it. */
export function temporaryDataDir(): { dataDir: string; remove: () => void } {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'subledger-'));
  return { dataDir, remove: () => rmSync(dataDir, { recursive: true, force: true }) };
}

/** Starts the standalone on a data directory and waits until it says that it is ready. */
export async function startStandalone(
  dataDir: string,
  env: Readonly<Record<string, string>> = {},
): Promise<RunningStandalone> {
  const child = spawn(process.execPath, [MAIN, '--json'], {
    // Programs do not get DATA_DIR; tests find them by TMPDIR.
    env: {
      ...process.env,
      PORT: '0',
      STOREFRONT_PORT: '0',
      DATA_DIR: dataDir,
      TMPDIR: dataDir,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve));
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => (said += chunk.toString()));
  await readyLine(child, exited, () => said);
  // The standalone wrote the file just before it said that it is ready.
  const demo = JSON.parse(await readFile(path.join(dataDir, 'demo.json'), 'utf8')) as Demo;
  return {
    baseUrl: demo.baseUrl,
    demo,
    dataDir,
    eventStoreUrl: () => readStoreUrl({ dataDir }),
    said: () => said,
    findPid: async (name) => findPid(child, name),
    stop: async (signals = ['SIGTERM']) => {
      for (const signal of signals) child.kill(signal);
      return exited;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await exited;
    },
    killPart: async (name) => void process.kill(await findPid(child, name), 'SIGKILL'),
    readEnvironment: async (name) => {
      const text = await readFile(`/proc/${await findPid(child, name)}/environ`, 'utf8');
      const pairs = text.split('\0').filter((pair) => pair !== '');
      return Object.fromEntries(
        pairs.map((pair) => [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)]),
      );
    },
    pausePart: async (name) => {
      const pid = await findPid(child, name);
      process.kill(pid, 'SIGSTOP');
      return () => void process.kill(pid, 'SIGCONT');
    },
  };
}

async function readyLine(
  child: ChildProcess,
  exited: Promise<number | null>,
  said: () => string,
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`not ready: ${said()}`)), READY_LIMIT_MS);
    if (child.stdout) {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.includes('"ready":true')) {
          clearTimeout(timer);
          resolve();
        }
      });
    }
    void exited.then((code) => {
      clearTimeout(timer);
      reject(new Error(`the standalone ended with ${code}: ${said()}`));
    });
  });
}

const PART_PATTERNS = {
  api: /programs\/api\.js/,
  storefront: /programs\/storefront\.js/,
  bookkeeper: /programs\/bookkeeper\.js/,
  projector: /programs\/projector\.js/,
  worker: /programs\/worker\.js/,
  'event-store': /programs\/event-store\.js/,
  redis: /redis-server/,
} as const;

/** The process of a part: one of the children of the standalone. */
async function findPid(parent: ChildProcess, name: Part): Promise<number> {
  const children = await readFile(`/proc/${parent.pid}/task/${parent.pid}/children`, 'utf8');
  for (const pid of children.trim().split(/\s+/).map(Number)) {
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8');
    if (PART_PATTERNS[name].test(commandLine)) return pid;
  }
  throw new Error(`the standalone has no ${name} that runs`);
}

/** How a standalone ended. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the standalone until it ends by itself. */
export async function runToEnd(
  env: Readonly<Record<string, string>>,
  args: readonly string[] = [],
): Promise<Ended> {
  const child = spawn(process.execPath, [MAIN, ...args], {
    // Programs do not get DATA_DIR; they are found by this variable.
    env: {
      ...process.env,
      PORT: '0',
      STOREFRONT_PORT: '0',
      TMPDIR: env['DATA_DIR'] ?? tmpdir(),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const timer = setTimeout(() => child.kill('SIGKILL'), RUN_LIMIT_MS);
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return { code, stdout, stderr };
}

/** The connection string of a standalone's event store, as other programs of the same owner find it. */
export async function readStoreUrl({
  dataDir,
}: Pick<RunningStandalone, 'dataDir'>): Promise<string> {
  const file = path.join(dataDir, 'event-store', 'connection-string');
  return (await readFile(file, 'utf8')).trim();
}
