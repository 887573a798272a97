import { DUE_RETRY_BASE_MS, DUE_RETRY_CAP_MS } from '../limits.js';

/** Far more than ever fail at once: a forgotten one is tried a little too soon. */
const REMEMBERED = 100_000;

/** The longest wait is over by then, and an attempt was due. */
const FORGOTTEN_AFTER_MS = 2 * DUE_RETRY_CAP_MS;

interface Failed {
  readonly times: number;
  readonly failedAtMs: number;
  readonly againAtMs: number;
}

/** Due dates that failed, and when each of them is tried again: ever more seldom. */
export class DueDateBackoff {
  /** In the order of their last failures. A cache would take its whole room at once, in each partition. */
  readonly #failed = new Map<string, Failed>();

  /** How many wait, or are due for another attempt. */
  get size(): number {
    return this.#failed.size;
  }

  isHeldUp(key: string, nowMs: number): boolean {
    return nowMs < (this.#failed.get(key)?.againAtMs ?? 0);
  }

  noteFailure(key: string, nowMs: number): void {
    const times = this.#failed.get(key)?.times ?? 0;
    const longestMs = Math.min(DUE_RETRY_CAP_MS, DUE_RETRY_BASE_MS * 2 ** times);
    // A failed one would fail again at once: half of the wait is not left to chance.
    const waitMs = longestMs * (0.5 + Math.random() / 2);
    this.#failed.delete(key);
    this.#failed.set(key, { times: times + 1, failedAtMs: nowMs, againAtMs: nowMs + waitMs });
    const [oldest] = this.#failed.keys();
    if (this.#failed.size > REMEMBERED && oldest !== undefined) this.#failed.delete(oldest);
  }

  /**
   * Forgets due dates that have not failed again in their time: they were canceled, or another process has billed them.
   */
  forgetOld(nowMs: number): void {
    for (const [key, { failedAtMs }] of this.#failed) {
      if (nowMs - failedAtMs < FORGOTTEN_AFTER_MS) return;
      this.#failed.delete(key);
    }
  }

  noteSuccess(key: string): void {
    this.#failed.delete(key);
  }
}
