import { Fault } from '#platform';

/** The oldest that memory may be when a signature fails: a rotated secret is looked for in the store. */
const FRESHNESS_MS = 1000;
/** Looks in that time over all apps: as many as of ids that are none, a few percent of a store's capacity. */
export const FRESH_LOOKS = 100;

/**
 * How often bad signatures, which anyone can send, make this process look into the store (rules/http 9): once
 * in a second for an app, so that no app takes the looks of others, and so often in total.
 */
export class FreshLooks {
  /** The apps that were looked for within the last second, in the order of these looks. */
  readonly #lookedAt = new Map<string, number>();

  /**
   * @returns whether the store may be asked for the app now; not where memory is as fresh as it has to be.
   * @throws Fault `unavailable` (retryable) where too many apps are asked for: whether the signature is
   *   good is not known then, and by the next attempt memory has followed.
   */
  take(appId: string): boolean {
    const now = performance.now();
    for (const [looked, atMs] of this.#lookedAt) {
      if (now - atMs < FRESHNESS_MS) break;
      this.#lookedAt.delete(looked);
    }
    if (this.#lookedAt.has(appId)) return false;
    if (this.#lookedAt.size >= FRESH_LOOKS) {
      const message = 'too many signatures do not match';
      throw new Fault('unavailable', message, { retryable: true, retryAfterMs: FRESHNESS_MS });
    }
    this.#lookedAt.set(appId, now);
    return true;
  }
}
