import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, renameSync, statSync, type WriteStream } from 'node:fs';
import { createInterface } from 'node:readline';
import { StartRefused } from './data-dir.js';

/** A program of ours that takes longer than this to start will not start at all. */
const READY_LIMIT_MS = 60_000;
/** How long a program may take to stop in order before it is killed. */
const STOP_LIMIT_MS = 20_000;
/** A log is set aside at a start when it has grown beyond this; one former log is kept. */
const LOG_LIMIT_BYTES = 10 * 1024 * 1024;
/** How much of a failed start's last words is shown. */
const LAST_WORDS = 2000;

/** How to start one of the programs that make up the standalone. */
export interface Program {
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Written to its stdin at the start, such as a configuration with a password. */
  readonly input?: string;
  readonly logFile: string;
  /** Tells that it is ready: by a line of its stdout, or by asking it. */
  readonly isReady: (line: string) => Ready | undefined;
}

/** What a program's ready line said. */
export type Ready = Readonly<Record<string, unknown>>;

/** A program that was started: it may not be ready yet, or be gone already. */
export interface Child {
  /** Rejects with StartRefused and its last words; it is gone by then. */
  readonly ready: Promise<Ready>;
  /** Resolves when it is gone. */
  readonly exited: Promise<number | null>;
  /** SIGTERM, and SIGKILL when it takes too long; resolves when it is gone. */
  stop(): Promise<void>;
  /** SIGKILL, at once. */
  kill(): void;
}

/** Starts a program. It can be stopped from now on, ready or not. */
export function startChild(program: Program, say: (text: string) => void): Child {
  const process_ = spawn(program.command, [...program.args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...program.env },
    // Ctrl-C reaches the whole group: a group of its own lets us stop the parts in order.
    detached: true,
  });
  const exited = new Promise<number | null>((resolve) => {
    process_.once('close', (code) => resolve(code));
    process_.on('error', () => resolve(null));
  });
  process_.stdin.on('error', () => undefined);
  if (program.input !== undefined) process_.stdin.end(program.input);
  const log = openLog(program.logFile);
  // A full disk must not end the programs: they go on, and their output is read and dropped.
  log.on('error', (error) => {
    say(`The log of the ${program.name} ends until it starts again: ${error.message}.`);
  });
  const ready = waitUntilReady(process_, program, log, exited).catch(async (error: unknown) => {
    await stop(process_, exited);
    throw error;
  });
  return {
    ready,
    exited,
    stop: () => stop(process_, exited),
    kill: () => void process_.kill('SIGKILL'),
  };
}

async function waitUntilReady(
  child: ChildProcess,
  program: Program,
  log: WriteStream,
  exited: Promise<number | null>,
): Promise<Ready> {
  let lastWords = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    log.write(chunk);
    lastWords = (lastWords + chunk.toString()).slice(-LAST_WORDS);
  });
  let timer: NodeJS.Timeout | undefined;
  try {
    return await new Promise<Ready>((resolve, reject) => {
      if (child.stdout) {
        createInterface({ input: child.stdout }).on('line', (line) => {
          const ready = program.isReady(line);
          if (ready !== undefined) resolve(ready);
          else log.write(`${line}\n`);
        });
      }
      child.once('error', (error) => {
        reject(new StartRefused(`The ${program.name} cannot be started: ${error.message}.`));
      });
      void exited.then(() => {
        log.end();
        const words = lastWords.trim() === '' ? `see ${program.logFile}` : lastWords.trim();
        reject(new StartRefused(`The ${program.name} did not start: ${words}`));
      });
      timer = setTimeout(() => {
        reject(
          new StartRefused(
            `The ${program.name} was not ready within a minute: see ${program.logFile}`,
          ),
        );
      }, READY_LIMIT_MS);
    });
  } finally {
    clearTimeout(timer);
  }
}

async function stop(child: ChildProcess, exited: Promise<number | null>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(timer);
}

function openLog(file: string): WriteStream {
  try {
    if (statSync(file).size > LOG_LIMIT_BYTES) renameSync(file, `${file}.1`);
  } catch {
    // There is no log yet.
  }
  return createWriteStream(file, { flags: 'a', mode: 0o600 });
}
