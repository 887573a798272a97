import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import process from 'node:process';
import { createInterface } from 'node:readline';
import { readConnectionString } from './connection-string.js';

const MAIN = path.resolve('dist/programs/event-store.js');

/** The event store as a process of its own, to be killed. */
export class StoreProcess {
  private constructor(
    readonly child: ChildProcess,
    readonly port: number,
    readonly connectionString: string,
  ) {}

  /** Starts it and waits until it is ready. Throws an error with its stderr if it does not. */
  static async start(dataDir: string, port = 0, limits: ProcessLimits = {}): Promise<StoreProcess> {
    const child = spawnStore(['--port', String(port), '--data-dir', dataDir, '--json'], limits);
    let complaint = '';
    child.stderr?.on('data', (text: Buffer) => (complaint += text.toString()));
    const lines = createInterface({ input: child.stdout! });
    for await (const line of lines) {
      const ready = JSON.parse(line) as { port: number; connectionStringFile: string };
      return new StoreProcess(child, ready.port, readConnectionString(ready));
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
  const command = [process.execPath, MAIN, ...args];
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
