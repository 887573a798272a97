import { sleep } from './resilience.js';

/** A read that takes longer than this is not waited for by the next one: it may never be answered. */
const WAITED_FOR_MS = 100;

/**
 * Reads that are asked for together are made once, and of each key one is under way at a time. A read begins when
 * the one before it has ended, in the next turn of the event loop at the earliest: all that join it have asked
 * before it began, so that none gets what was read before.
 */
export class SharedReads<T> {
  readonly #next = new Map<string, Promise<T>>();
  readonly #underWay = new Map<string, Promise<unknown>>();

  constructor(private readonly read: (key: string) => Promise<T>) {}

  /** @throws what the read throws. */
  load(key: string): Promise<T> {
    const joined = this.#next.get(key) ?? this.#begin(key);
    this.#next.set(key, joined);
    return joined;
  }

  async #begin(key: string): Promise<T> {
    const before = this.#underWay.get(key);
    if (before === undefined) await new Promise<void>((resolve) => setImmediate(resolve));
    else await Promise.race([before, sleep(WAITED_FOR_MS)]);
    this.#next.delete(key);
    const reading = this.read(key);
    // A caller that waits for its turn alone takes no part in its failure.
    const ended = reading.then(
      () => undefined,
      () => undefined,
    );
    this.#underWay.set(key, ended);
    try {
      return await reading;
    } finally {
      if (this.#underWay.get(key) === ended) this.#underWay.delete(key);
    }
  }
}
