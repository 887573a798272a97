import { randomUUID } from 'node:crypto';
import { type CommandExecutor, createCommandExecutor, type EventStore } from '#event-store';
import { Fault } from '#platform';
import type { Findings } from '../full-disk/findings.js';
import { context, counter } from '../../integration/event-store/support.js';

const WRITERS = 16;

/** Commands that go on all the time, with a stream for each writer. */
export class FailoverLoad {
  readonly #run = randomUUID();
  readonly #store: EventStore;
  readonly #executor: CommandExecutor;
  readonly #added = Array.from({ length: WRITERS }, () => 0);
  /** When commands were acknowledged, in milliseconds of `performance.now()`. */
  readonly #times: number[] = [];
  readonly #failed = Array.from({ length: WRITERS }, () => 0);
  readonly #writers: Promise<unknown>;
  #isOver = false;

  constructor(store: EventStore) {
    this.#store = store;
    this.#executor = createCommandExecutor(store);
    this.#writers = Promise.all(this.#added.map((_, writer) => this.#write(writer)));
  }

  get acknowledged(): number {
    return this.#times.length;
  }

  /** The commands that ended with a fault: callers over HTTP would have seen 503. */
  get failed(): number {
    return this.#failed.reduce((sum, one) => sum + one, 0);
  }

  isAcknowledgedSince(time: number): boolean {
    return (this.#times.at(-1) ?? 0) > time;
  }

  /** The longest time without an acknowledged command since then, in milliseconds. */
  longestSilence(since: number): number {
    const times = [since, ...this.#times.filter((time) => time > since), performance.now()];
    return Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? time)));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#writers;
  }

  /** Whether every acknowledged command is in the store once, and one that failed at most once. */
  async inspect(findings: Findings): Promise<void> {
    for (const [writer, added] of this.#added.entries()) {
      const name = this.#streamOf(writer);
      const kept = (await this.#store.headRevision(`counter-${name}`)) + 1;
      const most = added + (this.#failed[writer] ?? 0);
      const seen = `${name}: ${kept} events of ${added} acknowledged commands, ${most} in all`;
      if (kept < added) findings.add('an acknowledged command was lost', seen);
      if (kept > most) findings.add('a command was done twice', seen);
    }
  }

  #streamOf(writer: number): string {
    return `${this.#run}-${writer}`;
  }

  async #write(writer: number): Promise<void> {
    while (!this.#isOver) {
      try {
        await this.#executor.execute(counter, this.#streamOf(writer), { amount: 1 }, context);
        this.#added[writer] = (this.#added[writer] ?? 0) + 1;
        this.#times.push(performance.now());
      } catch (error) {
        if (!(error instanceof Fault)) throw error;
        this.#failed[writer] = (this.#failed[writer] ?? 0) + 1;
      }
    }
  }
}
