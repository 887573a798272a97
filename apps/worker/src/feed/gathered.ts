interface Waiting<Item> {
  readonly item: Item;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers what comes while an act is under way, and then does it all in one act: ends of many deliveries cost
 * one call of Redis. Alone, an item waits for nothing.
 */
export class Gathered<Item> {
  #waiting: Waiting<Item>[] = [];
  #isActing = false;

  /** @param act at most `atOnce` items, in the order in which they came. */
  constructor(
    private readonly act: (items: readonly Item[]) => Promise<unknown>,
    private readonly atOnce: number,
  ) {}

  /** Resolves when an act with this item has ended. @throws what the act throws. */
  add(item: Item): Promise<void> {
    return new Promise<void>((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject });
      if (!this.#isActing) void this.#actOnAll();
    });
  }

  async #actOnAll(): Promise<void> {
    this.#isActing = true;
    // What is added in the same turn goes out together.
    await Promise.resolve();
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, this.atOnce);
      try {
        await this.act(batch.map(({ item }) => item));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    this.#isActing = false;
  }
}
