import { LRUCache } from 'lru-cache';
import { sleep } from '#platform';

/** How long an answer of the store holds, also that there is no such id. */
const ANSWER_LIFE_MS = 1000;
/** A caller can make up as many ids as it likes: only so many are remembered. */
const REMEMBERED_IDS = 10_000;
/**
 * Looking a stream up costs the store a fraction of a millisecond: these are a few percent of it.
 */
const LOOKUPS_PER_SECOND = 100;
/**
 * Beyond them, a new id is given this time to arrive by itself: following the store takes
 * milliseconds.
 */
const ARRIVAL_MS = 250;

/**
 * Looks up in the store what memory does not know (rules/http 9). Ids come from requests without
 * verified credentials, so both kinds of misuse are bounded: the same unknown id again and again is
 * looked up once in a second, and different ones a hundred times in a second. What is over that is
 * not refused, but waits shortly for memory to learn of it.
 */
export class BoundedLookups<Found> {
  readonly #lookUp: (id: string) => Promise<Found | undefined>;
  readonly #answers = new LRUCache<string, Promise<Found | undefined>>({
    max: REMEMBERED_IDS,
    ttl: ANSWER_LIFE_MS,
  });
  #secondEndsAt = 0;
  #lookupsLeft = 0;

  constructor(lookUp: (id: string) => Promise<Found | undefined>) {
    this.#lookUp = lookUp;
  }

  /**
   * @returns what the store has; undefined for nothing, or where the caller is to look in memory
   *   again.
   */
  async find(id: string): Promise<Found | undefined> {
    const known = this.#answers.get(id);
    if (known !== undefined) return known;
    if (!this.#mayLookUp()) {
      await sleep(ARRIVAL_MS);
      return undefined;
    }
    const answer = this.#lookUp(id);
    this.#answers.set(id, answer);
    try {
      return await answer;
    } catch (error) {
      this.#answers.delete(id);
      throw error;
    }
  }

  #mayLookUp(): boolean {
    const now = performance.now();
    if (now >= this.#secondEndsAt) {
      this.#secondEndsAt = now + 1000;
      this.#lookupsLeft = LOOKUPS_PER_SECOND;
    }
    if (this.#lookupsLeft === 0) return false;
    this.#lookupsLeft -= 1;
    return true;
  }
}
