import type { Partitions } from '#event-store';
import { SLOTS_AT_LEAST } from '../limits.js';

/** Apps share slots, so that one of them never has them all (rules/fairness 1, decision 0030). */

/** The slots of one partition, of `total` over all partitions. */
export function slotsOfPartition(total: number, { count }: Pick<Partitions, 'count'>): number {
  return Math.max(Math.ceil(total / count), SLOTS_AT_LEAST);
}

interface Waiting<Job> {
  readonly job: Job;
  /** By the monotonic clock. */
  readonly sinceMs: number;
}

/**
 * Gives slots to jobs: an app has half of them at most, and apps with jobs that wait take turns. All of it is in memory
 * and bounded: at most `waitingKept` jobs are remembered, of which no app may have more than are left.
 */
export class AppShares<Job> {
  readonly #slotsOfApp: number;
  readonly #running = new Map<string, number>();
  #runningCount = 0;
  /** By app, the jobs that wait, first come first; the apps stand in the order of their turns. */
  readonly #waiting = new Map<string, Waiting<Job>[]>();
  #waitingCount = 0;

  constructor(
    private readonly slots: number,
    private readonly waitingKept = Infinity,
  ) {
    this.#slotsOfApp = Math.ceil(slots / 2);
  }

  get waiting(): number {
    return this.#waitingCount;
  }

  /** How long the oldest job has waited. */
  get oldestWaitsMs(): number {
    const nowMs = performance.now();
    const sinceMs = [...this.#waiting.values()].map(([first]) => first?.sinceMs ?? nowMs);
    return nowMs - Math.min(nowMs, ...sinceMs);
  }

  /** A job waits for a slot from now on. @returns false where memory has no room for it. */
  enqueue(appId: string, job: Job): boolean {
    const line = this.#waiting.get(appId) ?? [];
    if (line.length >= this.waitingKept - this.#waitingCount) return false;
    line.push({ job, sinceMs: performance.now() });
    this.#waiting.set(appId, line);
    this.#waitingCount += 1;
    return true;
  }

  /** The next job that may run, if any: it has a slot from now on, until `release`. */
  next(): Job | undefined {
    for (const [appId, line] of this.#waiting) {
      if (!this.take(appId)) continue;
      const first = line.shift();
      this.#waitingCount -= 1;
      // Behind all the others: its turn comes again when they had theirs.
      this.#waiting.delete(appId);
      if (line.length > 0) this.#waiting.set(appId, line);
      return first?.job;
    }
    return undefined;
  }

  /** Gives a slot at once, beside all that wait, until `release`. @returns false where there is none for the app. */
  take(appId: string): boolean {
    const running = this.#running.get(appId) ?? 0;
    if (this.#runningCount >= this.slots || running >= this.#slotsOfApp) return false;
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
