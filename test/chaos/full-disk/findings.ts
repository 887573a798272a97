/** Broken promises, each kind once: one mistake is met many times. */
export class Findings {
  readonly #kinds = new Map<string, { seen: string; times: number }>();

  /** @param seen the case; that of the first time is shown. */
  add(what: string, seen: string): void {
    const known = this.#kinds.get(what);
    this.#kinds.set(what, { seen: known?.seen ?? seen, times: (known?.times ?? 0) + 1 });
  }

  get lines(): readonly string[] {
    return [...this.#kinds].map(([what, { seen, times }]) => `${what} (${times})\n  ${seen}`);
  }
}
