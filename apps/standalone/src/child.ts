import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { StartRefused } from './data-dir.js';
import { environmentFor } from './environment.js';
import { LogFile } from './log-file.js';

/** A program of ours that is busy for longer than this, and does not say how far it is, will not start. */
const READY_LIMIT_MS = 60_000;
/** How long a program may take to stop in order before it is killed. */
const STOP_LIMIT_MS = 20_000;
/** How much of a program's last words is shown. */
const LAST_WORDS = 2000;

/** How to start one of the programs that make up the standalone. */
export interface Program {
  readonly name: string;
  /** A program that others need has a lower layer; a stop goes from the highest layer down. */
  readonly layer: number;
  readonly command: string;
  readonly args: readonly string[];
  /** Its own variables: `environmentFor` adds the others. */
  readonly env?: Readonly<Record<string, string>>;
  /** Whether it calls other machines over TLS. */
  readonly reachesOut?: boolean;
  /** Written to its stdin at the start, such as a configuration with a password. */
  readonly input?: string;
  readonly logFile: string;
  /** Whether it is ready: by a line of its stdout, or by a request to it. */
  readonly isReady: (line: string) => Ready | undefined;
  /** How far a long start is, by a line of its stdout. */
  readonly progressIn?: (line: string) => StartShare | undefined;
  /** Why its start waits for an operator, by a line of its stdout; no sentence where the start goes on. */
  readonly obstaclesIn?: (line: string) => readonly string[] | undefined;
  /** How long it may be silent before it is ready, in milliseconds; a minute unless given. */
  readonly readyLimitMs?: number;
  /** The reason for its end in a line of its log, for programs that do not write it to stderr. */
  readonly complaintIn?: (line: string) => string | undefined;
  /**
   * Whether its last lines name a passing reason, such as a full disk: its data is not damaged
   * then.
   */
  readonly isPassing?: (lastWords: string) => boolean;
  /** Moves kept files away before a second start, for a program that can do without them. */
  readonly setAside?: () => Promise<SetAside | undefined>;
  /** The remedy when it crashes again and again, in a sentence. */
  readonly advice?: string;
}

/** Files that were moved out of the way. */
export interface SetAside {
  /** The place of the files now and its consequence, in one sentence. */
  readonly notice: string;
  /** Puts them back: they did not keep the program from starting. */
  readonly undo: () => Promise<void>;
}

/** The present step of a program that takes its time, and its progress from 0 to 1. */
export interface StartShare {
  readonly doing: string;
  readonly progress: number;
}

/** The content of a program's ready line. */
export type Ready = Readonly<Record<string, unknown>>;

/** How a program ended: one of the two is null, or both when it was never there. */
export interface Exit {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly lastWords: string;
}

/** A program that ended before it was ready. */
export class EndedAtStart extends StartRefused {
  constructor(
    message: string,
    readonly exit: Exit,
  ) {
    super(message);
  }
}

/** A program that was started: it may not be ready yet, or be gone already. */
export interface Child {
  /** Rejects with StartRefused and its last words; it is gone by then. */
  readonly ready: Promise<Ready>;
  /** Resolves when it is gone. */
  readonly exited: Promise<Exit>;
  /** SIGTERM, and SIGKILL when it takes too long; resolves when it is gone. */
  stop(): Promise<void>;
  /** SIGKILL, at once. */
  kill(): void;
}

/** Starts a program. It can be stopped from now on, ready or not. */
export function startChild(
  program: Program,
  say: (text: string) => void,
  show: (progress: StartShare) => void = () => undefined,
): Child {
  const process_ = spawn(program.command, [...program.args], {
    stdio: ['pipe', 'pipe', 'pipe'],
    env: environmentFor(program),
    // Ctrl-C reaches the whole group: a group of its own lets us stop the parts in order.
    detached: true,
  });
  const log = new LogFile(program.logFile, say);
  const words = new LastWords();
  const exited = new Promise<Exit>((resolve) => {
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      log.end();
      resolve({ code, signal, lastWords: words.text });
    };
    process_.once('close', end);
    process_.on('error', () => end(null, null));
  });
  process_.stdin.on('error', () => undefined);
  if (program.input !== undefined) process_.stdin.end(program.input);
  process_.stderr.on('data', (chunk: Buffer) => {
    log.write(chunk);
    words.add(chunk.toString());
  });
  const ready = waitUntilReady(
    process_,
    program,
    exited,
    (line) => {
      log.write(`${line}\n`);
      words.replace(program.complaintIn?.(line));
    },
    { say, show },
  ).catch(async (error: unknown) => {
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

/** The person at the terminal. */
interface Told {
  readonly say: (text: string) => void;
  readonly show: (progress: StartShare) => void;
}

async function waitUntilReady(
  child: ChildProcess,
  { name, logFile, isReady, progressIn, obstaclesIn, readyLimitMs = READY_LIMIT_MS }: Program,
  exited: Promise<Exit>,
  note: (line: string) => void,
  { say, show }: Told,
): Promise<Ready> {
  let timer: NodeJS.Timeout | undefined;
  let waitsForOperator = false;
  try {
    return await new Promise<Ready>((resolve, reject) => {
      if (child.stdout) {
        createInterface({ input: child.stdout }).on('line', (line) => {
          const said = isReady(line);
          const progress = progressIn?.(line);
          const obstacles = obstaclesIn?.(line);
          if (said !== undefined) resolve(said);
          else if (obstacles !== undefined) {
            waitsForOperator = obstacles.length > 0;
            timer?.refresh();
            for (const obstacle of obstacles) say(obstacle);
          } else if (progress === undefined) note(line);
          else {
            timer?.refresh();
            show(progress);
          }
        });
      }
      child.once('error', (error) => {
        reject(new StartRefused(`The ${name} cannot be started: ${error.message}.`));
      });
      void exited.then((exit) => {
        const why = exit.lastWords === '' ? `see ${logFile}` : exit.lastWords;
        reject(new EndedAtStart(`The ${name} did not start: ${why}`, exit));
      });
      timer = setTimeout(() => {
        if (waitsForOperator) return;
        const limit = `${readyLimitMs / 1_000} s`;
        reject(new StartRefused(`The ${name} was not ready within ${limit}: see ${logFile}`));
      }, readyLimitMs);
    });
  } finally {
    clearTimeout(timer);
  }
}

/** The last lines of a program's stderr. */
class LastWords {
  #text = '';

  add(text: string): void {
    this.#text = (this.#text + text).slice(-LAST_WORDS);
  }

  /** For a program whose last complaint is the reason for its end. */
  replace(text: string | undefined): void {
    if (text !== undefined) this.#text = `${text}.`;
  }

  get text(): string {
    return this.#text.trim();
  }
}

async function stop(child: ChildProcess, exited: Promise<Exit>): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  child.kill('SIGTERM');
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
  await exited;
  clearTimeout(timer);
}
