/** Puts items that were reordered within some leaves back into the order of the leaves. */
export class InOrder<Item> {
  readonly #waiting = new Map<number, Item>();
  /** The next one, where it has come: most items come in order, and need not wait. */
  #ready: Item | undefined;
  #next: number;
  /** All leaves before it have come, or never will. */
  #settled = 0;
  #holes = 0;

  /**
   * @param next the first leaf that is wanted.
   * @param within so many leaves away from its place a leaf may come, at most.
   */
  constructor(
    next: number,
    private readonly within: number,
  ) {
    this.#next = next;
  }

  /** The number of the next leaf: all before it were given, or never came. */
  get next(): number {
    return this.#next;
  }

  /** Leaves that never came. */
  get holes(): number {
    return this.#holes;
  }

  add(leaf: number, item: Item): void {
    if (leaf < this.#next) return;
    if (leaf === this.#next) this.#ready = item;
    else this.#waiting.set(leaf, item);
    this.#settled = Math.max(this.#settled, leaf - this.within);
  }

  /** All leaves before this one have come: those that are missing never will. */
  end(end: number): void {
    this.#settled = end;
  }

  /** The next one in the order; undefined where it may still come, or there is none. */
  take(): Item | undefined {
    const ready = this.#ready;
    if (ready !== undefined) {
      this.#ready = undefined;
      this.#next += 1;
      return ready;
    }
    for (;;) {
      const item = this.#waiting.get(this.#next);
      if (item === undefined && this.#next >= this.#settled) return undefined;
      if (item !== undefined) this.#waiting.delete(this.#next);
      this.#next += 1;
      if (item !== undefined) return item;
      this.#holes += 1;
    }
  }
}
