import { type Log, sleepUnlessAborted, warnSeldom } from '#platform';
import { LAG_SAMPLE_MS, PARKED_RETRY_MS, TOUCH_MS, WATCH_MS } from './limits.js';

/** What is done beside the feeds of a projector, from time to time. */
interface WatchTasks {
  /** Once a second: is everything where it was left? It fails in its own way. */
  readonly settle: () => Promise<void>;
  /** Every few seconds: how far is the log ahead? */
  readonly measure: () => Promise<void>;
  readonly retryParked: () => Promise<void>;
  /** Seldom: says that the read models are in use, and deletes what is not. */
  readonly tidy: () => Promise<void>;
}

/** Runs the tasks, each in its time, one after the other. A task that fails is tried again in its time. */
export class RoundWatch {
  readonly #settle: () => Promise<void>;
  readonly #timed: { everyMs: number; doing: string; act: () => Promise<void>; dueAtMs: number }[];

  constructor({ settle, measure, retryParked, tidy }: WatchTasks) {
    this.#settle = settle;
    this.#timed = [
      { everyMs: LAG_SAMPLE_MS, doing: 'measuring the lag', act: measure },
      { everyMs: PARKED_RETRY_MS, doing: 'trying parked streams again', act: retryParked },
      { everyMs: TOUCH_MS, doing: 'retiring old read models', act: tidy },
    ].map((task) => ({ ...task, dueAtMs: 0 }));
  }

  /** Runs until the signal is aborted; never throws. */
  async run(signal: AbortSignal, log: Log): Promise<void> {
    while (await sleepUnlessAborted(WATCH_MS, signal)) {
      await this.#settle();
      for (const task of this.#timed) {
        const nowMs = performance.now();
        if (signal.aborted || nowMs < task.dueAtMs) continue;
        task.dueAtMs = nowMs + task.everyMs;
        await task.act().catch((error: unknown) => {
          warnSeldom(log, error, `${task.doing} did not succeed`);
        });
      }
    }
  }
}
