/** How long the answer holds that there is no such id. */
const ABSENT_LIFE_MS = 1000;
/**
 * Ids that are none, looked up in a second, with those under way. Each costs the store a fraction of a
 * millisecond: these are a few percent of it.
 */
const ABSENT_PER_SECOND = 100;
/**
 * How long a look-up waits. A look-up of an existing id gives its place back when it is found, and so the next one
 * comes on, also where a store is slow; a caller is answered before it gives up.
 */
const WAIT_MS = 5000;
/**
 * Ids that a list has, looked up at once, beside those that are counted: each unknown one is read once, and reads of
 * other streams on the same connection come between them.
 */
export const LISTED_AT_ONCE = 32;
/** Look-ups that wait; each holds a request open. The oldest are given up for newer ones. */
const WAITING = 2000;

/** Whether a look-up goes on, and which place it gives back. */
type Admission = 'counted' | 'listed' | 'refused';
type Admit = (admission: Admission) => void;

/**
 * Looks up in the store ids that memory does not know (rules/http 9). Ids come from requests without verified
 * credentials. Existing ids cost a caller nothing: however many different ones are asked for at once, each is looked
 * up. Unknown ids are bounded: the same id is looked up once in a second, and different ones a hundred times in a
 * second. Look-ups beyond that wait, the newest first, so that an existing id gets through between many made-up ones.
 * An id in a list, such as a read model, waits only for other listed ids: a flood of any length stops no id that is
 * known anywhere. These are bounded by how many are looked up at once, in the order in which they came; each app is one
 * of them, however many of its requests wait for it.
 */
export class BoundedLookups<Found> {
  readonly #lookUp: (id: string) => Promise<Found>;
  readonly #isThere: (found: Found) => boolean;
  readonly #isListed: (id: string) => Promise<boolean>;
  readonly #underWay = new Map<string, Promise<Found | undefined>>();
  /** As many as are looked up in a second. */
  readonly #absent = new Map<string, { readonly answer: Found }>();
  /** In the order in which they came. */
  readonly #waiting = new Set<Admit>();
  /** Those of them that the list has, in the order in which it said so. */
  readonly #waitingListed = new Set<Admit>();
  #admitted = 0;
  #listedUnderWay = 0;

  /**
   * @param isListed is asked where there are too many look-ups. It may be behind, fail, or never answer: then
   *   the id waits as those do that are in no list.
   */
  constructor(
    lookUp: (id: string) => Promise<Found>,
    isThere: (found: Found) => boolean,
    isListed: (id: string) => Promise<boolean> = async () => false,
  ) {
    this.#lookUp = lookUp;
    this.#isThere = isThere;
    this.#isListed = isListed;
  }

  /**
   * @returns the store's answer; undefined where too many unknown ids are asked for, so that nothing is known of this
   *   one. @throws the error of the look-up.
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
    const admission = await this.#admit(id);
    if (admission === 'refused') return undefined;
    if (admission === 'listed') return this.#lookUp(id).finally(() => this.#releaseListed());
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

  async #admit(id: string): Promise<Admission> {
    if (this.#admitted < ABSENT_PER_SECOND) {
      this.#admitted += 1;
      return 'counted';
    }
    const [oldest] = this.#waiting;
    if (this.#waiting.size >= WAITING) oldest?.('refused');
    return new Promise((resolve) => {
      const admit: Admit = (admission) => {
        clearTimeout(timer);
        this.#waiting.delete(admit);
        this.#waitingListed.delete(admit);
        resolve(admission);
      };
      const timer = setTimeout(() => admit('refused'), WAIT_MS).unref();
      this.#waiting.add(admit);
      void this.#askList(id, admit);
    });
  }

  /** Beside the wait, so that a list which is slow costs nothing. Never throws. */
  async #askList(id: string, admit: Admit): Promise<void> {
    const isListed = await this.#isListed(id).catch(() => false);
    // It may have a place by now, which it has to give back, or have been given up.
    if (!isListed || !this.#waiting.delete(admit)) return;
    if (this.#listedUnderWay < LISTED_AT_ONCE) {
      this.#listedUnderWay += 1;
      admit('listed');
    } else if (this.#waitingListed.size < WAITING) this.#waitingListed.add(admit);
    else admit('refused');
  }

  /** The next one takes the place over. */
  #releaseListed(): void {
    const [oldest] = this.#waitingListed;
    if (oldest === undefined) this.#listedUnderWay -= 1;
    else oldest('listed');
  }

  /** A waiting look-up takes over a place that is given back. */
  #release(): void {
    const newest = [...this.#waiting].at(-1);
    if (newest === undefined) this.#admitted -= 1;
    else newest('counted');
  }
}
