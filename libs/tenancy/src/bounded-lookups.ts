/** How long the answer holds that there is no such id. */
const ABSENT_LIFE_MS = 1000;
/**
 * Ids that are none, looked up in a second, with those under way. Each costs the store a fraction of a
 * millisecond: these are a few percent of it.
 */
const ABSENT_PER_SECOND = 100;
/**
 * How long a look-up waits. What is there gives its place back when it is found, and so the next one comes on,
 * also where a store is slow; a caller is answered before it gives up.
 */
const WAIT_MS = 5000;
/** Look-ups that wait; each holds a request open. The oldest are given up for newer ones. */
const WAITING = 2000;

type Admit = (isAdmitted: boolean) => void;

/**
 * Looks up in the store what memory does not know (rules/http 9). Ids come from requests without
 * verified credentials. What is there costs a caller nothing: however many different ids are asked for at
 * once, each is looked up. What is none is bounded: the same id is looked up once in a second, and
 * different ones a hundred times in a second. What is over that waits, the newest first, so that one that is
 * there gets through between many that are made up.
 */
export class BoundedLookups<Found> {
  readonly #lookUp: (id: string) => Promise<Found>;
  readonly #isThere: (found: Found) => boolean;
  readonly #underWay = new Map<string, Promise<Found | undefined>>();
  /** As many as are looked up in a second. */
  readonly #absent = new Map<string, { readonly answer: Found }>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Admit>();
  #admitted = 0;

  constructor(lookUp: (id: string) => Promise<Found>, isThere: (found: Found) => boolean) {
    this.#lookUp = lookUp;
    this.#isThere = isThere;
  }

  /**
   * @returns what the store says; undefined where too many that are none are asked for, so that nothing is
   *   known of this one. @throws what the look-up throws.
   */
  async find(id: string): Promise<Found | undefined> {
    const absent = this.#absent.get(id);
    if (absent !== undefined) return absent.answer;
    const underWay = this.#underWay.get(id);
    if (underWay !== undefined) return underWay;
    const found = this.#find(id).finally(() => this.#underWay.delete(id));
    this.#underWay.set(id, found);
    return found;
  }

  async #find(id: string): Promise<Found | undefined> {
    if (!(await this.#admit())) return undefined;
    let isAbsent = false;
    try {
      const answer = await this.#lookUp(id);
      isAbsent = !this.#isThere(answer);
      if (isAbsent) this.#absent.set(id, { answer });
      return answer;
    } finally {
      if (isAbsent) setTimeout(() => this.#forget(id), ABSENT_LIFE_MS).unref();
      else this.#release();
    }
  }

  #forget(id: string): void {
    this.#absent.delete(id);
    this.#release();
  }

  async #admit(): Promise<boolean> {
    if (this.#admitted < ABSENT_PER_SECOND) {
      this.#admitted += 1;
      return true;
    }
    const [oldest] = this.#waiting;
    if (this.#waiting.size >= WAITING) oldest?.(false);
    return new Promise((resolve) => {
      const admit: Admit = (isAdmitted) => {
        clearTimeout(timer);
        this.#waiting.delete(admit);
        resolve(isAdmitted);
      };
      const timer = setTimeout(() => admit(false), WAIT_MS).unref();
      this.#waiting.add(admit);
    });
  }

  /** Those who wait take over what is given back. */
  #release(): void {
    const newest = [...this.#waiting].at(-1);
    if (newest === undefined) this.#admitted -= 1;
    else newest(true);
  }
}
