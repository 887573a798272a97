import { RETURN_AFTER_MAX_MS, RETURN_AFTER_MIN_MS } from '../limits.js';

/**
 * When jobs that were given back come again by themselves. Most are woken before that, when there is room:
 * this is for those that memory has forgotten, with the process or for want of room. They come at a bounded
 * rate (GCRA, a leaky bucket), which keys share: a backlog of any size costs Redis the same, and a key that
 * has few of them waits for no other's.
 */
export class PacedReturns {
  /** By key, when its next one may come. */
  readonly #next = new Map<string, number>();

  constructor(private readonly perSecond: number) {}

  /**
   * @param keys how many share the rate. @param random from 0 to 1.
   * @returns when the next job of this key is to come again, by the clock of `nowMs`.
   */
  take(key: string, keys: number, nowMs: number, random: number): number {
    const spacingMs = (1_000 / this.perSecond) * Math.max(1, keys);
    const atMs = Math.max(nowMs + RETURN_AFTER_MIN_MS, this.#next.get(key) ?? 0);
    const latestMs = nowMs + RETURN_AFTER_MAX_MS;
    if (atMs < latestMs) {
      this.#next.set(key, atMs + spacingMs);
      return Math.round(atMs);
    }
    // Not all of them at the same instant.
    return Math.round(latestMs - (random * RETURN_AFTER_MAX_MS) / 2);
  }

  /** Forgets keys whose jobs have all come. */
  forgetOld(nowMs: number): void {
    for (const [key, atMs] of this.#next) if (atMs < nowMs) this.#next.delete(key);
  }
}
