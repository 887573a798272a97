import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Child,
  EndedAtStart,
  type Exit,
  type Program,
  type StartShare,
  type Ready,
  startChild,
} from './child.js';
import { StartRefused } from './data-dir.js';

/**
 * Waits between restarts of a program that keeps dying: it doubles up to this, which is little, so
 * that all goes on within 5 s of the moment in which a full disk has room again (rules/running 4).
 */
const RESTART_CAP_MS = 2_000;
const RESTART_BASE_MS = 250;
/** A program that has run this long has recovered, and its next death is its first. */
const STEADY_MS = 60_000;
/** The exit code (EX_DATAERR) of a program whose data is damaged: no new start mends that. */
const EXIT_DAMAGED = 65;
/** Signals with which a program ends by its own fault, or by that of its data. */
const CRASHES = new Set<NodeJS.Signals | null>([
  'SIGSEGV',
  'SIGBUS',
  'SIGABRT',
  'SIGILL',
  'SIGTRAP',
]);
/** A program that crashed so often in a row does so because of its data. */
const CRASHES_ALLOWED = 5;

interface Deaths {
  readonly all: number;
  readonly crashes: number;
}

const NONE: Deaths = { all: 0, crashes: 0 };

/**
 * Keeps programs running: one that dies is started again, with a growing wait, for as long as the standalone lives.
 * Nothing is lost by a death: acknowledged events are in the event store. Only where the data is damaged does a restart
 * not help: then it gives up and says why.
 */
export class Supervisor {
  /** The latest child of every program, ready or not. */
  private readonly children = new Map<string, { child: Child; layer: number }>();
  private isStopping = false;

  /**
   * @param giveUp gets the reason why the standalone cannot go on, and has to stop it.
   * @param show shows how far a long start is.
   */
  constructor(
    private readonly say: (text: string) => void,
    private readonly giveUp: (reason: string) => void,
    private readonly show: (progress: StartShare) => void = () => undefined,
  ) {}

  /** Starts a program and keeps it running. @throws StartRefused when its first start fails. */
  async start(program: Program): Promise<Ready> {
    const child = await this.startReady(program);
    this.keep(program, child, NONE);
    return child.ready;
  }

  /** Starts a program that no other one waits for. Where it does not start, the reason is said, and the others go on. */
  startBeside(program: Program): void {
    this.start(program).catch((error: unknown) => {
      if (!this.isStopping) this.say(error instanceof Error ? error.message : String(error));
    });
  }

  /** Stops all programs, also those that are still starting, before those that they stand on. */
  async stop(): Promise<void> {
    this.isStopping = true;
    const running = [...this.children.values()].sort((a, b) => b.layer - a.layer);
    for (const { child } of running) await child.stop();
  }

  /** Kills all programs at once, for a person who does not want to wait. */
  kill(): void {
    this.isStopping = true;
    for (const { child } of this.children.values()) child.kill();
  }

  /** A child that is ready, at the second attempt if need be. @throws StartRefused. */
  private async startReady(program: Program): Promise<Child> {
    const first = this.spawn(program);
    try {
      await first.ready;
      return first;
    } catch (error) {
      if (this.isStopping || !(error instanceof EndedAtStart)) throw error;
      if (!mayBeOfItsData(error.exit)) throw error;
      const aside = await program.setAside?.();
      if (aside === undefined) throw error;
      try {
        // A stop may have come in the meantime: then there is no second attempt.
        const second = this.spawn(program);
        await second.ready;
        this.say(`${error.message} ${aside.notice}`);
        return second;
      } catch {
        await aside.undo();
        throw error;
      }
    }
  }

  /** A child is known from its first moment: a stop may come before it is ready. */
  private spawn(program: Program): Child {
    if (this.isStopping) throw new StartRefused('The standalone is stopping.');
    const child = startChild(program, this.say, this.show);
    this.children.set(program.name, { child, layer: program.layer });
    return child;
  }

  private keep(program: Program, child: Child, deaths: Deaths): void {
    const startedAt = performance.now();
    void child.exited.then((exit) => {
      const isSteady = performance.now() - startedAt > STEADY_MS;
      const before = isSteady ? NONE : deaths;
      void this.restart(program, before, exit, `The ${program.name} ${howItEnded(exit)}`);
    });
  }

  /** Also called when a restart failed, or was cut short by a stop: then nothing is to be done. */
  private async restart(program: Program, before: Deaths, exit: Exit, what: string): Promise<void> {
    if (this.isStopping) return;
    const crashes = before.crashes + (isCrash(program, exit) ? 1 : 0);
    const deaths = { all: before.all + 1, crashes };
    const final = finalReason(program, deaths, exit, what);
    if (final !== undefined) {
      this.giveUp(final);
      return;
    }
    const waitMs = Math.min(RESTART_CAP_MS, RESTART_BASE_MS * 2 ** before.all);
    if (isTold(deaths.all)) {
      this.say(`${what}; it starts again in ${waitMs} ms. See ${program.logFile}.`);
    }
    await sleep(waitMs);
    try {
      this.keep(program, await this.startReady(program), deaths);
    } catch (error) {
      const failed = error instanceof EndedAtStart ? error.exit : UNKNOWN;
      const why = error instanceof Error ? error.message : String(error);
      await this.restart(program, deaths, failed, why.replace(/\.$/, ''));
    }
  }
}

const UNKNOWN: Exit = { code: null, signal: null, lastWords: '' };

/**
 * Whether a program ended at its start by its own fault or its data's. One that was killed, by an
 * operator or for want of memory, was not; nor one that obeyed, as Redis does with code 0 while it
 * loads.
 */
function mayBeOfItsData({ code, signal }: Exit): boolean {
  return CRASHES.has(signal) || (code !== null && code !== 0);
}

function howItEnded({ code, signal, lastWords }: Exit): string {
  if (code === null) return `was killed (${signal})`;
  const lastLine = lastWords.split('\n').at(-1) ?? '';
  return `ended with code ${code}${lastLine && `: ${lastLine.replace(/\.$/, '')}`}`;
}

/** Whether it ended by its own fault, or by that of its data. */
function isCrash({ isPassing }: Program, { signal, lastWords }: Exit): boolean {
  return CRASHES.has(signal) && isPassing?.(lastWords) !== true;
}

/** Why a program is not started again; undefined when it is. */
function finalReason(
  { name, logFile, advice = '' }: Program,
  { crashes }: Deaths,
  { code, signal, lastWords }: Exit,
  what: string,
): string | undefined {
  if (code === EXIT_DAMAGED) return lastWords === '' ? `${what}: see ${logFile}.` : lastWords;
  if (crashes < CRASHES_ALLOWED) return undefined;
  return `The ${name} crashed ${crashes} times in a row (${signal}). ${advice}`.trim();
}

/** The first deaths are logged, then ever fewer: a program may keep dying for days. */
function isTold(deaths: number): boolean {
  return Number.isInteger(Math.log2(deaths));
}
