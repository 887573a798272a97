/** Places that tenants share, so that one of them never has them all (rules/fairness 1, decision 0093). */

/** What a job is counted under: its app, the endpoint that it is for. */
export interface Claim {
  readonly key: string;
  /** A key has room while `weight` times its running jobs are fewer than the places that are free. */
  readonly weight: number;
}

/** From the widest claim to the narrowest: jobs wait in line under the last one. */
export type Claims = readonly Claim[];

/**
 * Gives places to jobs by dynamic thresholds (Choudhury and Hahne, 1998): a key may take one more place as
 * long as it has fewer than are free. One key alone gets half of the places, two a third each, k of them k
 * of k + 1 parts together: a newcomer finds one free as long as there are fewer greedy keys than places.
 * What has to wait is chosen round robin over the keys that it waits under. All of it is in memory and
 * bounded: `places` jobs run, and at most `waitingKept` are remembered, of which none may have more than
 * are free, either.
 */
export class FairSemaphore {
  readonly #running = new Map<string, Claims>();
  readonly #counts = new Map<string, number>();
  /** By key, the jobs that wait, first come first; the keys stand in the order in which they are chosen. */
  readonly #waiting = new Map<string, Map<string, Claims>>();
  #waitingCount = 0;

  constructor(
    private readonly places: number,
    private readonly waitingKept: number,
    private readonly window: () => number = () => Infinity,
  ) {}

  get waiting(): number {
    return this.#waitingCount;
  }

  isRunning(jobId: string): boolean {
    return this.#running.has(jobId);
  }

  /** A job waits for a place from now on. @returns false where memory has no room for it. */
  enqueue(jobId: string, claims: Claims): boolean {
    const { key } = narrowest(claims);
    const line = this.#waiting.get(key) ?? new Map<string, Claims>();
    if (this.#running.has(jobId) || line.has(jobId)) return true;
    if (line.size >= this.waitingKept - this.#waitingCount) return false;
    line.set(jobId, claims);
    this.#waiting.set(key, line);
    this.#waitingCount += 1;
    return true;
  }

  release(jobId: string): void {
    const claims = this.#running.get(jobId);
    if (claims === undefined) return;
    this.#running.delete(jobId);
    for (const { key } of claims) count(this.#counts, key, -1);
  }

  /** The next job that may run, if any: it has a place from now on. */
  choose(): string | undefined {
    // No key has room then. Else the walk is short: of an app that has nothing running the first job is taken,
    // and no more apps than there are places have something.
    if (this.#running.size >= this.places) return undefined;
    for (const [key, line] of this.#waiting) {
      const [first] = line;
      if (first === undefined) continue;
      const [jobId, claims] = first;
      if (!this.#hasRoom(claims)) continue;
      this.#forget(jobId, claims);
      // Behind all the others: its turn comes again when they had theirs.
      if (this.#waiting.delete(key)) this.#waiting.set(key, line);
      this.#run(jobId, claims);
      return jobId;
    }
    return undefined;
  }

  #hasRoom(claims: Claims): boolean {
    const free = this.places - this.#running.size;
    const room = Math.min(free, this.window());
    return claims.every(({ key, weight }) => weight * (this.#counts.get(key) ?? 0) < room);
  }

  #run(jobId: string, claims: Claims): void {
    this.#running.set(jobId, claims);
    for (const { key } of claims) count(this.#counts, key, 1);
  }

  #forget(jobId: string, claims: Claims): void {
    const { key } = narrowest(claims);
    const line = this.#waiting.get(key);
    if (line?.delete(jobId) !== true) return;
    this.#waitingCount -= 1;
    if (line.size === 0) this.#waiting.delete(key);
  }
}

/** Keys of which there is none are not kept. */
function count(counts: Map<string, number>, key: string, by: 1 | -1): void {
  const next = (counts.get(key) ?? 0) + by;
  if (next > 0) counts.set(key, next);
  else counts.delete(key);
}

function narrowest(claims: Claims): Claim {
  return claims.at(-1) ?? { key: '', weight: 1 };
}
