/**
 * Reads that are asked for together are made once. A read begins in the next turn of the event loop: all
 * that join it have asked before it began, so that none gets what was read before.
 */
export class SharedReads<T> {
  readonly #next = new Map<string, Promise<T>>();

  constructor(private readonly read: (key: string) => Promise<T>) {}

  /** @throws what the read throws. */
  load(key: string): Promise<T> {
    const joined = this.#next.get(key) ?? this.#begin(key);
    this.#next.set(key, joined);
    return joined;
  }

  async #begin(key: string): Promise<T> {
    await new Promise<void>((resolve) => setImmediate(resolve));
    this.#next.delete(key);
    return this.read(key);
  }
}
