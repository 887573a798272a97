import { LRUCache } from 'lru-cache';
import { Breaker, upTo } from '#platform';
import {
  APPS_REMEMBERED,
  FAILURES_THAT_OPEN,
  OPEN_AT_FIRST_MS,
  OPEN_AT_MOST_MS,
} from './limits.js';

const OPTIONS = {
  failures: FAILURES_THAT_OPEN,
  openAtFirstMs: OPEN_AT_FIRST_MS,
  openAtMostMs: OPEN_AT_MOST_MS,
};

interface Known {
  readonly breaker: Breaker;
  /** Whether the one call is under way that a half-open breaker lets through. */
  isProbing: boolean;
}

/**
 * Of each app whether this process may call its catalog (rules/catalog 4): where calls have failed in a row, none is made
 * for a while, and then one.
 */
export class CatalogBreakers {
  /** Of the catalogs whose last call failed. */
  readonly #known = new LRUCache<string, Known>(upTo(APPS_REMEMBERED));

  /**
   * Makes a call, unless the breaker forbids it.
   *
   * @param isAway whether an answer says that the backend is away, or none came. @returns undefined where no call was
   *   made. @throws the error of the call, which says nothing of the backend.
   */
  async run<T>(
    appId: string,
    call: () => Promise<T>,
    isAway: (answer: T) => boolean,
  ): Promise<T | undefined> {
    const known = this.#known.get(appId);
    if (known === undefined) return this.#note(appId, await call(), isAway);
    const { state } = known.breaker;
    if (state === 'open' || known.isProbing) return undefined;
    known.isProbing = state === 'half_open';
    try {
      return await this.#note(appId, await call(), isAway);
    } finally {
      known.isProbing = false;
    }
  }

  async #note<T>(appId: string, answer: T, isAway: (answer: T) => boolean): Promise<T> {
    const isGood = !isAway(answer);
    let known = this.#known.get(appId);
    if (isGood && known === undefined) return answer;
    known ??= { breaker: new Breaker(OPTIONS), isProbing: false };
    this.#known.set(appId, known);
    await known.breaker.note(isGood);
    if (isGood && known.breaker.state === 'closed') this.#known.delete(appId);
    return answer;
  }
}
