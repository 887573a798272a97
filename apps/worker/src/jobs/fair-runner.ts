import type { Lease } from '#projection-engine';
import { JOBS_STOP_LIMIT_MS, REQUEUED_FOR_MS } from '../limits.js';
import { jobs as jobsGauge, jobsWaiting, oldestWaiting } from '../metrics.js';
import { AppShares } from './app-shares.js';

/** The two halves of a job. Neither throws. */
export interface FairWork<Job, Outcome, After> {
  findApp(job: Job): string;
  /** Has a slot. The signal is aborted when a stop has waited for it long enough. */
  attempt(job: Job, signal: AbortSignal): Promise<Outcome>;
  /** Notes the outcome; the slot is free already. */
  settle(job: Job, outcome: Outcome): Promise<After>;
}

interface Bounds {
  /** How many jobs have an attempt under way at once. */
  readonly slots: number;
  /** How many others wait at most; left out where their owner bounds them. */
  readonly waitingKept?: number;
}

/**
 * Runs jobs of a partition from memory, by fair shares of the slots (rules/fairness 1). A process whose lease has run out
 * must not go through all that it has in memory beside its successor (rules/running 8, decision 0020): no job begins
 * before `start`, after `end`, or while the lease may be another's, which asks nothing of Redis.
 */
export class FairRunner<Job, Outcome, After> {
  readonly #shares: AppShares<Job>;
  readonly #running = new Set<Promise<unknown>>();
  readonly #attempting = new AbortController();
  #isStarted = false;
  /** While this process may not act, as far as it knows. */
  #hold: NodeJS.Timeout | undefined;

  constructor(
    private readonly lease: Pick<Lease, 'lastsUntilMs' | 'partition'>,
    private readonly work: FairWork<Job, Outcome, After>,
    { slots, waitingKept }: Bounds,
  ) {
    this.#shares = new AppShares(slots, waitingKept);
  }

  get isStarted(): boolean {
    return this.#isStarted;
  }

  /** Whether this process may act, as far as it knows. */
  get mayAct(): boolean {
    return this.#isStarted && performance.now() < this.lease.lastsUntilMs;
  }

  /** Jobs that were given before wait until then: none runs before the feed knows whether Redis has lost something. */
  start(): void {
    this.#isStarted = true;
    this.wake();
  }

  /** Has a job wait for a slot, which `wake` gives it. @returns false where memory has no room for it. */
  enqueue(job: Job): boolean {
    return this.#shares.enqueue(this.work.findApp(job), job);
  }

  /** Begins the jobs that get a slot. */
  wake(): void {
    while (this.#mayBegin()) {
      const job = this.#shares.next();
      if (job === undefined) return;
      void this.#track(job);
    }
  }

  /** Runs a job beside those that wait. @param onSlot is called first. @returns undefined where its app gets no slot. */
  runNow(job: Job, onSlot: () => void): Promise<After> | undefined {
    if (!this.#shares.take(this.work.findApp(job))) return undefined;
    onSlot();
    return this.#track(job);
  }

  /** Begins no job for a moment: this process may not act. */
  holdOn(): void {
    if (!this.#isStarted || this.#hold !== undefined) return;
    this.#hold = setTimeout(() => {
      this.#hold = undefined;
      this.wake();
    }, REQUEUED_FOR_MS);
  }

  /** Writes the metrics of the queue. @param others counts of jobs by further states. */
  measure(queue: string, others: Readonly<Record<string, number>> = {}): void {
    const { partition } = this.lease;
    const { waiting, oldestWaitsMs } = this.#shares;
    const states = { waiting, active: this.#running.size, ...others };
    for (const [state, count] of Object.entries(states)) {
      jobsGauge.set({ partition, queue, state }, count);
    }
    jobsWaiting.set({ partition, queue }, waiting);
    oldestWaiting.set({ partition, queue }, oldestWaitsMs / 1_000);
  }

  /** Begins no more jobs: the partition is given up, and another process soon begins them. */
  end(): void {
    this.#isStarted = false;
    clearTimeout(this.#hold);
  }

  /** Gives attempts under way a moment, and then gives them up. The next start begins the rest again. */
  async stop(): Promise<void> {
    this.end();
    await this.#untilIdle(JOBS_STOP_LIMIT_MS / 2);
    this.#attempting.abort('stopping');
    await this.#untilIdle(JOBS_STOP_LIMIT_MS / 2);
  }

  #mayBegin(): boolean {
    if (this.mayAct) return this.#hold === undefined;
    this.holdOn();
    return false;
  }

  #track(job: Job): Promise<After> {
    const running = this.#run(job);
    this.#running.add(running);
    void running.then(() => this.#running.delete(running));
    return running;
  }

  async #run(job: Job): Promise<After> {
    const outcome = await this.work.attempt(job, this.#attempting.signal);
    this.#shares.release(this.work.findApp(job));
    this.wake();
    const after = await this.work.settle(job, outcome);
    this.wake();
    return after;
  }

  async #untilIdle(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const limit = new Promise<void>((resolve) => (timer = setTimeout(resolve, limitMs)));
    await Promise.race([Promise.all(this.#running), limit]);
    clearTimeout(timer);
  }
}
