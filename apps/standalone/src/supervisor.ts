import { setTimeout as sleep } from 'node:timers/promises';
import { type Child, type Program, type Ready, startChild } from './child.js';
import { StartRefused } from './data-dir.js';

/** Waits between restarts of a program that keeps dying: it doubles up to this. */
const RESTART_CAP_MS = 30_000;
const RESTART_BASE_MS = 250;
/** A program that has run this long has recovered, and its next death is its first. */
const STEADY_MS = 60_000;

/**
 * Keeps programs running: one that dies is started again, with a growing wait, for as long as the
 * standalone lives. Nothing is lost by a death: what was acknowledged is in the event store.
 */
export class Supervisor {
  /** The latest child of every program, ready or not, in the order of their first starts. */
  private readonly children = new Map<string, Child>();
  private isStopping = false;

  constructor(private readonly say: (text: string) => void) {}

  /** Starts a program and keeps it running. @throws StartRefused when its first start fails. */
  async start(program: Program): Promise<Ready> {
    const child = this.spawn(program);
    const ready = await child.ready;
    this.keep(program, child, 0);
    return ready;
  }

  /** Stops all programs, also those that are still starting, the last started first. */
  async stop(): Promise<void> {
    this.isStopping = true;
    for (const child of [...this.children.values()].reverse()) await child.stop();
  }

  /** Kills all programs at once, for somebody who does not want to wait. */
  kill(): void {
    this.isStopping = true;
    for (const child of this.children.values()) child.kill();
  }

  /** A child is known from its first moment: a stop may come before it is ready. */
  private spawn(program: Program): Child {
    if (this.isStopping) throw new StartRefused('The standalone is stopping.');
    const child = startChild(program, this.say);
    this.children.set(program.name, child);
    return child;
  }

  private keep(program: Program, child: Child, deaths: number): void {
    const startedAt = performance.now();
    void child.exited.then((code) => {
      if (this.isStopping) return;
      const isSteady = performance.now() - startedAt > STEADY_MS;
      void this.restart(program, isSteady ? 0 : deaths, code);
    });
  }

  private async restart(program: Program, deaths: number, code: number | null): Promise<void> {
    const waitMs = Math.min(RESTART_CAP_MS, RESTART_BASE_MS * 2 ** deaths);
    const how = code === null ? 'was killed' : `ended with code ${code}`;
    this.say(
      `The ${program.name} ${how}; it starts again in ${waitMs} ms. See ${program.logFile}.`,
    );
    await sleep(waitMs);
    try {
      const child = this.spawn(program);
      await child.ready;
      this.keep(program, child, deaths + 1);
    } catch (error) {
      if (this.isStopping) return;
      this.say(error instanceof Error ? error.message : String(error));
      void this.restart(program, deaths + 1, 1);
    }
  }
}
