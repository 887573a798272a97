import { categoryOf, idOf, type Position } from '#domain/event';
import { testClockAggregate } from '#domain/test-clock';
import {
  forEachConcurrently,
  jitteredDelayMs,
  type Log,
  sleepUnlessAborted,
  warnSeldom,
} from '#platform';
import type { ReadModels } from '#projection-engine';
import { testClocks } from '#projections';
import type { AppDirectory } from '#tenancy';
import {
  CALLS_AT_ONCE,
  FOLLOW_LIMIT_MS,
  READ_PAGE,
  RETRY_BASE_MS,
  RETRY_CAP_MS,
} from '../limits.js';

/** @param mayAdvance whether the clock may be on its way; it rests otherwise. */
type OnClock = (appId: string, mayAdvance: boolean) => void;

interface LearnOptions {
  /** Of `testClocks`. */
  readonly readModels: Pick<ReadModels, 'ask' | 'waitFor' | 'partitions'>;
  /** The end of the store; this process has followed it since before. */
  readonly findHead: () => Promise<Position>;
  readonly signal: AbortSignal;
  readonly log: Log;
}

/**
 * The test apps whose clock was ever advanced (rules/lifecycle 9): few of all that there are. A read model
 * lists those of before this process began; of the others their own events tell.
 */
export class MovedClocks {
  readonly #moved = new Map<string, boolean>();
  readonly #listeners = new Set<OnClock>();

  constructor(apps: Pick<AppDirectory, 'onChange'>) {
    apps.onChange((streamNames) => {
      for (const name of streamNames) {
        if (categoryOf(name) === testClockAggregate.category) this.#note(idOf(name), true);
      }
    });
  }

  has(appId: string): boolean {
    return this.#moved.has(appId);
  }

  /** Calls with each clock that is known, and again with each that changes. @returns the function that ends that. */
  follow(onClock: OnClock): () => void {
    for (const [appId, mayAdvance] of this.#moved) onClock(appId, mayAdvance);
    this.#listeners.add(onClock);
    return () => this.#listeners.delete(onClock);
  }

  /** Learns of those that were advanced before. Tries until it has, or the signal is aborted; never throws. */
  async learn(options: LearnOptions): Promise<void> {
    const { numbers } = options.readModels.partitions;
    await forEachConcurrently(numbers, CALLS_AT_ONCE, (each) => this.#learnSurely(options, each));
  }

  async #learnSurely(options: LearnOptions, partition: number): Promise<void> {
    const { signal, log } = options;
    for (let failures = 0; !signal.aborted; failures += 1) {
      try {
        await this.#learnFrom(options, partition);
        return;
      } catch (error) {
        warnSeldom(log, error, 'the test clocks could not be looked up; it is tried again');
        const waitMs = jitteredDelayMs(failures, RETRY_BASE_MS, RETRY_CAP_MS);
        await sleepUnlessAborted(waitMs, signal);
      }
    }
  }

  async #learnFrom({ readModels, findHead }: LearnOptions, partition: number): Promise<void> {
    const queries = readModels.ask(testClocks);
    await readModels.waitFor(await findHead(), {
      partitions: [partition],
      timeoutMs: FOLLOW_LIMIT_MS,
    });
    // Few are on their way at once; a part of a list that shrinks would pass others over.
    const all = { partition, offset: 0, limit: Number.MAX_SAFE_INTEGER };
    const advancing = new Set(await queries.advancing(all));
    for (let offset = 0; ; offset += READ_PAGE) {
      const moved = await queries.moved({ partition, offset, limit: READ_PAGE });
      for (const appId of moved) {
        // A clock that went by meanwhile is newer.
        if (!this.#moved.has(appId)) this.#note(appId, advancing.has(appId));
      }
      if (moved.length < READ_PAGE) return;
    }
  }

  #note(appId: string, mayAdvance: boolean): void {
    this.#moved.set(appId, mayAdvance);
    for (const onClock of this.#listeners) onClock(appId, mayAdvance);
  }
}
