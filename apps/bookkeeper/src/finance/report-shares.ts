/** Each report has a process of its own, with 400 MB at most. */
const REPORTS_AT_ONCE = 4;
/** So that the reports of one app never take all. */
const REPORTS_OF_APP_AT_ONCE = 2;

/** Counts the reports that are written, so that no app, and not all of them together, take the machine. */
export class ReportShares {
  readonly #used = new Map<string, number>();
  #all = 0;

  /** Lets a report begin; undefined where none may. @returns the call for its end. */
  take(app: string): (() => void) | undefined {
    const ofApp = this.#used.get(app) ?? 0;
    if (this.#all >= REPORTS_AT_ONCE || ofApp >= REPORTS_OF_APP_AT_ONCE) return undefined;
    this.#all += 1;
    this.#used.set(app, ofApp + 1);
    return () => this.#giveBack(app);
  }

  #giveBack(app: string): void {
    this.#all -= 1;
    const left = (this.#used.get(app) ?? 1) - 1;
    if (left === 0) this.#used.delete(app);
    else this.#used.set(app, left);
  }
}
