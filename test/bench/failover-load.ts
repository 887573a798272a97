import { randomUUID } from 'node:crypto';
import { accept, type Aggregate } from '#domain/decider';
import type { DomainEvent } from '#domain/event';
import { createCommandExecutor, type EventStore } from '#event-store';
import { Fault } from '#platform';

const WORKERS = 16;
const STREAMS = 64;

/** It only counts: what is measured is the way to the store and back. */
const counter: Aggregate<
  { readonly total: number },
  { readonly amount: number },
  DomainEvent<'counter.added.v1', { readonly amount: number }>,
  never
> = {
  category: 'counter',
  decider: {
    initialState: { total: 0 },
    evolve: ({ total }, { data }) => ({ total: total + data.amount }),
    decide: ({ amount }) => accept({ type: 'counter.added.v1', data: { amount } }),
  },
};

/** Commands that go on all the time, and when each was acknowledged. */
export class FailoverLoad {
  /** In milliseconds of `performance.now()`. */
  readonly acknowledged: number[] = [];
  /** Commands that ended with a fault: callers over HTTP would have seen 503. */
  failed = 0;
  readonly #workers: Promise<unknown>;
  #isOver = false;

  constructor(store: EventStore) {
    const executor = createCommandExecutor(store);
    const run = randomUUID();
    const work = async (worker: number) => {
      for (let n = 0; !this.#isOver; n += 1) {
        const stream = `${run}-${worker}-${n % (STREAMS / WORKERS)}`;
        const context = {
          appId: 'app_1',
          environment: 'test',
          actor: 'app',
          correlationId: 'bench',
          now: new Date().toISOString(),
        } as const;
        try {
          await executor.execute(counter, stream, { amount: 1 }, context);
          this.acknowledged.push(performance.now());
        } catch (error) {
          if (!(error instanceof Fault)) throw error;
          this.failed += 1;
        }
      }
    };
    this.#workers = Promise.all(Array.from({ length: WORKERS }, (_, worker) => work(worker)));
  }

  /** The longest time without an acknowledged command since then, in milliseconds. */
  longestSilence(since: number): number {
    const times = [since, ...this.acknowledged.filter((time) => time > since), performance.now()];
    return Math.max(...times.slice(1).map((time, at) => time - (times[at] ?? time)));
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#workers;
  }
}
