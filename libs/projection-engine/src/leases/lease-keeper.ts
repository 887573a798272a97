import { type Log, settleAll, sleepUnlessAborted, warnSeldom } from '#platform';
import { OPEN_AGAIN_BASE_MS } from '../limits.js';
import type { Lease, Leases } from './leases.js';

/** The worker on the partitions that this process holds. */
export interface PartitionWorker {
  /**
   * Works on these partitions from now on, and on no others. Resolves when nothing of others is under
   * way, so that they may be given back. A call comes when the one before has resolved.
   */
  workOn(leases: readonly Lease[]): Promise<void>;
}

interface LeaseKeeperOptions {
  readonly leases: Pick<Leases, 'acquire' | 'beat' | 'leave' | 'release' | 'renew'>;
  /** How many partitions there are. */
  readonly count: number;
  /** Which one is tried first; any of them, where none is named, so that processes seldom want the same. */
  readonly first?: number;
  readonly worker: PartitionWorker;
  /** Between two polls, in milliseconds: several fit into the time that a lease lasts. */
  readonly everyMs: number;
  readonly log: Log;
}

/**
 * Holds this process's share of the partitions: as many as there are, divided by those who are alive. It takes free
 * ones, gives back those above its share, and learns of its losses.
 */
export class LeaseKeeper {
  readonly #held = new Map<number, Lease>();
  #handedOver: Promise<void> = Promise.resolve();
  /** The worker has not come to an end with the last change. */
  #isHandingOver = false;
  /** The worker does not know yet which partitions are held. */
  #hasChanged = false;

  constructor(private readonly options: LeaseKeeperOptions) {}

  get held(): readonly Lease[] {
    return [...this.#held.values()];
  }

  /** Resolves when the worker knows of all that was taken and given back so far. */
  async settled(): Promise<void> {
    await this.#handedOver;
  }

  /** Looks until Redis has answered once, or the signal is aborted; never throws. */
  async begin(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && !(await this.#tryToLook())) {
      await sleepUnlessAborted(OPEN_AGAIN_BASE_MS, signal);
    }
  }

  /** Runs until the signal is aborted; never throws. The held partitions stay so until `stop`. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#tryToLook();
      await sleepUnlessAborted(jittered(this.options.everyMs), signal);
    }
  }

  /** Gives all back, when the work has ended. @throws Fault of Redis: they then run out by themselves. */
  async stop(): Promise<void> {
    const { leases } = this.options;
    await this.#handedOver;
    for (const lease of this.held) await leases.release(lease);
    this.#held.clear();
    await leases.leave();
  }

  /**
   * One look: is alive, keeps its partitions, and comes nearer to its share. Not so while a change is still on its way
   * to the worker: changes that come faster than it can follow would queue up without end.
   *
   * @throws Fault of Redis.
   */
  async look(): Promise<void> {
    const { leases, count } = this.options;
    let spare: Lease[] = [];
    try {
      const alive = leases.beat();
      // Together: while the living members are not known, held partitions are kept nevertheless.
      await settleAll([alive, this.#renewAll()]);
      const share = Math.ceil(count / (await alive));
      if (this.#isHandingOver) return;
      spare = this.#takeAbove(share);
      await this.#acquireUpTo(share);
    } finally {
      // Also partitions lost or gained before an error: the next poll no longer knows of them.
      if (this.#hasChanged && !this.#isHandingOver) this.#handOver(spare);
    }
  }

  async #tryToLook(): Promise<boolean> {
    try {
      await this.look();
      return true;
    } catch (error) {
      warnSeldom(this.options.log, error, 'the leases of partitions could not be looked after');
      return false;
    }
  }

  async #renewAll(): Promise<void> {
    const { leases, log } = this.options;
    // Together, in one round trip.
    const renewals = this.held.map(async (lease) => {
      if (await leases.renew(lease)) return;
      this.#held.delete(lease.partition);
      this.#hasChanged = true;
      log.warn({ partition: lease.partition }, 'another process took a partition over');
    });
    const outcomes = await Promise.allSettled(renewals);
    const failed = outcomes.find((outcome) => outcome.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
  }

  #takeAbove(share: number): Lease[] {
    const spare = this.held.slice(share);
    for (const { partition } of spare) this.#held.delete(partition);
    if (spare.length > 0) this.#hasChanged = true;
    return spare;
  }

  async #acquireUpTo(share: number): Promise<void> {
    const { leases, count } = this.options;
    const { first = Math.floor(Math.random() * count) } = this.options;
    for (let tried = 0; tried < count && this.#held.size < share; tried += 1) {
      const partition = (first + tried) % count;
      if (this.#held.has(partition)) continue;
      const lease = await leases.acquire(partition);
      if (lease === undefined) continue;
      this.#held.set(partition, lease);
      this.#hasChanged = true;
    }
  }

  /** Leases are prolonged meanwhile: the end of a batch may take its time. */
  #handOver(spare: readonly Lease[]): void {
    this.#hasChanged = false;
    this.#isHandingOver = true;
    const { leases, worker, log } = this.options;
    const handOver = async () => {
      await worker.workOn(this.held);
      for (const lease of spare) await leases.release(lease);
    };
    this.#handedOver = handOver()
      .catch((error: unknown) => {
        warnSeldom(log, error, 'partitions could not be given back; their leases run out');
      })
      .finally(() => (this.#isHandingOver = false));
  }
}

/** Processes that started together do not look together. */
function jittered(everyMs: number): number {
  return everyMs * (0.75 + Math.random() / 2);
}
