/** Places that apps share, so that one of them never has them all (rules/fairness 1, decision 0030). */

/**
 * Gives places to jobs: an app has half of them at most, and apps with jobs that wait take turns. All of it is in memory
 * and bounded: at most `waitingKept` jobs are remembered, of which no app may have more than are left.
 */
export class AppShares<Job> {
  readonly #placesOfApp: number;
  readonly #running = new Map<string, number>();
  #runningCount = 0;
  /** By app, the jobs that wait, first come first; the apps stand in the order of their turns. */
  readonly #waiting = new Map<string, Job[]>();
  #waitingCount = 0;

  constructor(
    private readonly places: number,
    private readonly waitingKept = Infinity,
  ) {
    this.#placesOfApp = Math.ceil(places / 2);
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /** A job waits for a place from now on. @returns false where memory has no room for it. */
  enqueue(appId: string, job: Job): boolean {
    const line = this.#waiting.get(appId) ?? [];
    if (line.length >= this.waitingKept - this.#waitingCount) return false;
    line.push(job);
    this.#waiting.set(appId, line);
    this.#waitingCount += 1;
    return true;
  }

  /** The next job that may run, if any: it has a place from now on, until `release`. */
  next(): Job | undefined {
    for (const [appId, line] of this.#waiting) {
      if (!this.take(appId)) continue;
      const job = line.shift();
      this.#waitingCount -= 1;
      // Behind all the others: its turn comes again when they had theirs.
      this.#waiting.delete(appId);
      if (line.length > 0) this.#waiting.set(appId, line);
      return job;
    }
    return undefined;
  }

  /** Gives a place at once, beside all that wait, until `release`. @returns false where there is none for the app. */
  take(appId: string): boolean {
    const running = this.#running.get(appId) ?? 0;
    if (this.#runningCount >= this.places || running >= this.#placesOfApp) return false;
    this.#running.set(appId, running + 1);
    this.#runningCount += 1;
    return true;
  }

  release(appId: string): void {
    const running = this.#running.get(appId) ?? 0;
    if (running > 1) this.#running.set(appId, running - 1);
    else this.#running.delete(appId);
    this.#runningCount -= 1;
  }
}
