import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';

const ROOT = path.resolve(import.meta.dirname, '../..');
const MAIN = 'programs/event-store.js';

/** The event store as a process of its own, to be killed. */
export class StoreProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
    readonly connectionString: string,
  ) {}

  /** Starts it and waits until it is ready. Throws with what it said on stderr if it does not. */
  static async start(dataDir: string, port = 0, limits: ProcessLimits = {}): Promise<StoreProcess> {
    const child = spawnStore(['--port', String(port), '--data-dir', dataDir, '--json'], limits);
    let complaint = '';
    child.stderr?.on('data', (text: Buffer) => (complaint += text.toString()));
    const lines = createInterface({ input: child.stdout! });
    for await (const line of lines) {
      const ready = JSON.parse(line) as { port: number; connectionString: string };
      return new StoreProcess(child, ready.port, ready.connectionString);
    }
    throw new Error(`The event store did not start: ${complaint}`);
  }

  /** Ends it without a warning, as a crash does, and waits until it is gone. */
  async kill(): Promise<void> {
    await this.end('SIGKILL');
  }

  /** Asks it to stop; answers with its exit code. */
  async end(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
    const { child } = this;
    if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
    const exited = once(child, 'exit');
    child.kill(signal);
    await exited;
    return child.exitCode;
  }
}

export interface ProcessLimits {
  /** No file may grow beyond it: a full disk without one. */
  readonly fileSizeLimitKb?: number;
}

/** The program with these arguments, its output piped. */
export function spawnStore(
  args: readonly string[],
  { fileSizeLimitKb }: ProcessLimits = {},
): ChildProcess {
  const command = [process.execPath, '--enable-source-maps', programPath(), ...args];
  const limited = [
    'bash',
    '-c',
    `ulimit -f ${fileSizeLimitKb ?? 'unlimited'}; exec "$@"`,
    'limited',
  ];
  const [program = '', ...rest] =
    fileSizeLimitKb === undefined ? command : [...limited, ...command];
  return spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe'] });
}

let compiled: string | undefined;

/** The program compiled: built already where this file is, or compiled for this process. */
function programPath(): string {
  const beside = path.join(ROOT, MAIN);
  if (existsSync(beside)) return beside;
  compiled ??= compile();
  return compiled;
}

/** A test run by Jest has no built program beside it, and an older build would be a wrong answer. */
function compile(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'event-store-program-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(path.join(folder, 'dist'));
  writeFileSync(path.join(folder, 'package.json'), '{"type":"module"}');
  symlinkSync(path.join(ROOT, 'node_modules'), path.join(folder, 'node_modules'));
  const swc = path.join(ROOT, 'node_modules/@swc/cli/bin/swc.js');
  const args = [swc, 'libs/embedded-event-store', '-d', path.join(folder, 'dist'), '-q'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: 'utf8' });
  if (status !== 0) throw new Error(`The event store could not be compiled: ${stderr}`);
  return path.join(folder, 'dist', MAIN);
}
