import { Fault } from '#platform';

/** The oldest that memory may be when a signature fails: a rotated secret is looked for in the store. */
const FRESHNESS_MS = 1000;
/** Polls in that time over all apps: as many as look-ups of unknown ids, a few percent of a store's capacity. */
export const MOST_POLLS = 100;

/**
 * How often bad signatures, which anyone can send, make this process poll the store for a rotated secret (rules/http 9):
 * once in a second for an app, so that no app takes the polls of others, and so often in total.
 */
export class SecretPolls {
  /** The apps that were polled within the last second, in their order. */
  readonly #polledAt = new Map<string, number>();

  /**
   * @returns whether the store may be asked for the app now; not where memory is as fresh as it has to be.
   * @throws Fault `unavailable` (retryable) where too many apps are asked for: whether the signature is
   *   good is not known then, and by the next attempt memory has followed.
   */
  take(appId: string): boolean {
    const now = performance.now();
    for (const [polled, atMs] of this.#polledAt) {
      if (now - atMs < FRESHNESS_MS) break;
      this.#polledAt.delete(polled);
    }
    if (this.#polledAt.has(appId)) return false;
    if (this.#polledAt.size >= MOST_POLLS) {
      const message = 'too many signatures do not match';
      throw new Fault('unavailable', message, { retryable: true, retryAfterMs: FRESHNESS_MS });
    }
    this.#polledAt.set(appId, now);
    return true;
  }
}
