const SECOND_MS = 1_000;

/**
 * When something is to be looked at next, to the second. A tick costs the looks due in it, and nothing for all that
 * wait longer.
 */
export class LookTimes {
  readonly #atSecond = new Map<number, Set<string>>();
  readonly #secondOf = new Map<string, number>();
  #second: number;

  constructor(nowMs: number) {
    this.#second = Math.floor(nowMs / SECOND_MS);
  }

  /** In place of the time that was set before; a past one is due at once. */
  schedule(subject: string, atMs: number): void {
    this.cancel(subject);
    const second = Math.max(this.#second, Math.ceil(atMs / SECOND_MS));
    const others = this.#atSecond.get(second);
    if (others === undefined) this.#atSecond.set(second, new Set([subject]));
    else others.add(subject);
    this.#secondOf.set(subject, second);
  }

  cancel(subject: string): void {
    const second = this.#secondOf.get(subject);
    if (second === undefined) return;
    this.#secondOf.delete(subject);
    const others = this.#atSecond.get(second);
    others?.delete(subject);
    if (others?.size === 0) this.#atSecond.delete(second);
  }

  /** Those that are due by now; they have no time from then on. */
  take(nowMs: number): string[] {
    const due: string[] = [];
    const now = Math.floor(nowMs / SECOND_MS);
    for (; this.#second <= now; this.#second += 1) {
      for (const subject of this.#atSecond.get(this.#second) ?? []) due.push(subject);
      this.#atSecond.delete(this.#second);
    }
    // A look that is set from now on, for this very second, is taken by the next one.
    this.#second = now;
    for (const subject of due) this.#secondOf.delete(subject);
    return due;
  }
}
