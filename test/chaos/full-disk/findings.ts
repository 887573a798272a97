/** What must not be, each kind once: one mistake is met many times. */
export class Findings {
  readonly #kinds = new Map<string, { told: string; times: number }>();

  /** @param told what was seen; that of the first time is shown. */
  add(what: string, told: string): void {
    const known = this.#kinds.get(what);
    this.#kinds.set(what, { told: known?.told ?? told, times: (known?.times ?? 0) + 1 });
  }

  get lines(): readonly string[] {
    return [...this.#kinds].map(([what, { told, times }]) => `${what} (${times})\n  ${told}`);
  }
}
