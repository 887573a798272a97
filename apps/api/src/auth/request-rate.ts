import { LRUCache } from 'lru-cache';
import { upTo } from '#platform';

/** How many seconds' worth of requests may come at once. */
const BURST_MS = 2_000;
/** Callers: one that was idle for two seconds has all of its room, so that forgetting it changes nothing. */
const KEPT = 50_000;
/** Sums of fractions are off by less than this. */
const ROUNDING_MS = 1e-6;

/**
 * How many requests a second each of many may make, over time, by the generic cell rate algorithm (ITU-T I.371): of
 * each, one number is kept.
 */
export class RequestRate {
  /** Until when the requests so far last, at the rate that is allowed. */
  readonly #paidUntilMs = new LRUCache<string, number>(upTo(KEPT));
  readonly #stepMs: number;

  /** @param now milliseconds of any beginning. */
  constructor(
    perSecond: number,
    private readonly now: () => number = () => performance.now(),
  ) {
    this.#stepMs = 1000 / perSecond;
  }

  /** How long it takes until there is room for one more; 0 where there is. */
  waitMs(key: string): number {
    const now = this.now();
    const aheadMs = this.#paidUntil(key, now) + this.#stepMs - now - BURST_MS;
    return aheadMs <= ROUNDING_MS ? 0 : aheadMs;
  }

  /** Counts one, which there is room for. */
  take(key: string): void {
    this.#paidUntilMs.set(key, this.#paidUntil(key, this.now()) + this.#stepMs);
  }

  #paidUntil(key: string, now: number): number {
    return Math.max(this.#paidUntilMs.get(key) ?? now, now);
  }
}
