/**
 * When a filtered subscription sends a checkpoint (rules/protocol 6): each time it has considered
 * as many events as the interval, and at the end of a catch-up if there is something new to say.
 */
export class Checkpoints {
  #considered = 0;
  #lastConsidered: number | undefined;
  #lastSent: number | undefined;

  constructor(private readonly interval: number) {}

  /** Counts an event, wanted or not. Answers with the position of a checkpoint that is now due. */
  consider(position: number): number | undefined {
    this.#considered += 1;
    this.#lastConsidered = position;
    if (this.#considered < this.interval) return undefined;
    this.#considered = 0;
    return this.#send();
  }

  /** The checkpoint that ends a catch-up, unless the previous one said the same. */
  caughtUp(): number | undefined {
    return this.#lastConsidered === this.#lastSent ? undefined : this.#send();
  }

  #send(): number | undefined {
    this.#lastSent = this.#lastConsidered;
    return this.#lastSent;
  }
}
