/**
 * A look at something that others change, shared by all who ask for it in time: each caller is served by a look that began
 * after the call, since one that is under way may have missed the last change. There is one look at a time at most,
 * however many ask.
 */
export class NextLook {
  #underWay: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  constructor(private readonly look: () => Promise<void>) {}

  /** Resolves after a look that began after this call. @throws what the look throws. */
  next(): Promise<void> {
    this.#next ??= this.#lookAfter(this.#underWay);
    return this.#next;
  }

  async #lookAfter(other: Promise<void>): Promise<void> {
    // The other look's own callers get its error.
    await other.catch(() => undefined);
    // Callers from here on are served by another look.
    this.#underWay = this.#next ?? other;
    this.#next = undefined;
    await this.look();
  }
}
